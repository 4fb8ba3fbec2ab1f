import Apus
import ApusServing
import FoundationEssentials
import Testing

@testable import ServeArguments

/// A file of models and the options of the library have one spelling.
@Suite struct ModelEntryKeysTests {
  private static let clip =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    + "/Tests/Fixtures/transformers/clip"

  @Test func theKeysOfTheFileAreThoseOfTheLibrary() {
    #expect(
      Set(ModelEntry.settings.keys) == [
        "precision", "threads", "threshold", "templates", "score", "logit_scale", "logit_bias",
        "mask_padding", "transparency", "variant",
      ])
  }

  /// What the library writes of options is an entry, and means the same.
  @Test func anEntryIsWhatTheLibraryWrites() throws {
    var options = ZeroShotClassifier.Options(
      templates: ["a photo of {}"], scoring: .sigmoid, logitScale: 7.5, logitBias: -3, threshold: 0.25,
      image: ImageOptions(transparency: .over(.white)))
    options.inference = InferenceOptions(precision: .int8, threads: 2)
    let json = try options.json()
    for key in ModelEntry.settings.keys where !["mask_padding", "variant"].contains(key) {
      #expect(json.contains("\"\(key)\""))
    }
    let path = FileManager.default.temporaryDirectory.appending(
      path: "keys-\(UInt64.random(in: 0 ... .max)).json"
    )
    .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{\"models\": [{\"path\": \"\(Self.clip)\", \(json.dropFirst())]}".utf8)
      .write(to: URL(filePath: path))
    let models = try ModelArguments.parse(["--models", path]).options()
    #expect(try models.map { try $0.options.json() } == [json])
  }
}
