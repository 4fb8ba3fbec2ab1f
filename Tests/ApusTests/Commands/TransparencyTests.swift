import Foundation
import TestSupport
import Testing

@testable import Apus

/// `--transparency` is the library's option.
@Suite(.enabled(if: CommandRun.isPossible))
struct TransparencyTests {
  private static let values: [(String, ImageOptions.Transparency)] = [
    ("ignored", .ignored), ("white", .over(.white)), ("black", .over(.black)),
    ("0a80FF", .over(ImageOptions.Colour(red: 10, green: 128, blue: 255))),
  ]
  private let folder: TemporaryFolder
  private let model: String
  private let picture = Checkout.fixture("images/pictures/rgba8.png").path

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
  }

  private func record(_ arguments: [String]) throws -> [String: Any] {
    let run = try CommandRun(arguments + ["--json"])
    #expect(run.exitCode == 0, "\(run.messages)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func transparentPixelsBecomeWhatIsAskedFor() throws {
    var found: Set<[Float]> = []
    for (value, transparency) in Self.values {
      let options = ImageEmbedder.Options(image: ImageOptions(transparency: transparency))
      let expected = try ImageEmbedder(model, options: options).blocking.embed(.file(picture)).values
      let record = try record([
        "embed", "--image", picture, "--model", model, "--transparency", value,
      ])
      let vector = try #require(record["embedding"] as? [Double]).map(Float.init)
      expectClose(vector, expected, tolerance: 1e-6)
      found.insert(vector)
    }
    #expect(found.count == Self.values.count)
  }

  @Test func everyCommandForPicturesTakesIt() throws {
    let clip = ["--model", Checkout.modelFolder("clip")]
    for (command, key) in [
      (["classify", picture, "--model", model, "--top-k", "3"], "predictions"),
      (["zero-shot", picture, "--labels", "a, b"] + clip, "scores"),
      (["similarity", "--image", picture, "--with-text", "a"] + clip, "cosines"),
    ] {
      let plain = try numbers(command, key)
      let ignored = try numbers(command + ["--transparency", "ignored"], key)
      let white = try numbers(command + ["--transparency", "white"], key)
      #expect(plain == ignored && !plain.isEmpty && plain != white)
    }
  }

  /// Cosines, logits or scores of a record.
  private func numbers(_ arguments: [String], _ key: String) throws -> [Double] {
    let value = try record(arguments)[key]
    if let numbers = value as? [Double] { return numbers }
    let scores = try #require(value as? [[String: Any]])
    return scores.compactMap { ($0["logit"] ?? $0["score"]) as? Double }
  }

  @Test(arguments: ["pink", "fff", "+fffff", "0a80ff0", ""]) func whatIsNoColourIsRefused(_ value: String)
    throws
  {
    let run = try CommandRun(["classify", picture, "--model", model, "--transparency", value])
    #expect(run.exitCode == 2 && run.messages.contains("--transparency"))
  }
}
