import InferenceProtocol
import Testing

@Suite struct ModelAddressTests {
  @Test(
    arguments: [
      ("m", "m", nil, .metadata), ("m/ready", "m", nil, .ready),
      ("google/medsiglip-448/infer", "google/medsiglip-448", nil, .infer),
      ("a/b/versions/1", "a/b", "1", .metadata), ("a/b/versions/2/stats", "a/b", "2", .statistics),
      ("stats", "stats", nil, .metadata), ("versions/1", "versions/1", nil, .metadata),
      ("m/config", "m", nil, .configuration),
      ("a/versions/1/infer/infer", "a/versions/1/infer", nil, .infer),
    ] as [(String, String, String?, ModelAddress.Action)])
  func namesMayHaveSlashes(path: String, model: String, version: String?, action: ModelAddress.Action) {
    let address = ModelAddress(path.split(separator: "/").map(String.init))
    #expect(address?.model == model)
    #expect(address?.version == version)
    #expect(address?.action == action)
  }

  @Test func emptyNamesAreNone() {
    #expect(ModelAddress([String]()) == nil)
    #expect(ModelAddress([""]) == nil)
    #expect(ModelAddress(["a", "", "infer"]) == nil)
  }
}
