import ApusServing
import Testing

@testable import ApusServer

@Suite struct HuggingFaceRoutesTests {
  private func server(_ templates: [String]) throws -> TestServer {
    var options = ServedModelOptions(TestServer.root + "/Weights/scenes", name: "scenes")
    options.templates = templates
    return try TestServer([options])
  }

  private func scores(_ server: TestServer, template: String?) async throws -> [Double] {
    let extra = template.map { #","hypothesis_template":"\#($0)""# } ?? ""
    let labels = #""candidate_labels":["three red circles","{}"]"#
    let body = #"{"inputs":"\#(try Sample.base64())","parameters":{\#(labels)\#(extra)}}"#
    let answer = try await server.post("/", body)
    #expect(answer.status == 200, "\(answer.text)")
    let results = try #require(try answer.json.list)
    #expect(Set(results.compactMap { $0["label"]?.string }) == ["three red circles", "{}"])
    return results.compactMap { $0["score"]?.double }
  }

  /// A client's own template takes the place of the server's, and is not put into it.
  @Test func theTemplateOfARequestReplacesTheServers() async throws {
    let (plain, set) = (try server(["{}"]), try server(["a drawing of {}", "{}, drawn"]))
    let own = try await scores(plain, template: nil)
    #expect(try await scores(set, template: "{}") == own)
    #expect(try await scores(set, template: nil) != own)
    let sentence = "a photo of {}, or {}"
    #expect(try await scores(plain, template: sentence) == scores(set, template: sentence))
  }
}
