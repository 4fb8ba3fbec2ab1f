import Foundation
import TestSupport
import Testing

@testable import Apus

/// `--transparency` is the library's option.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
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

  @Test func comparisonsHaveTheScoresOfClassify() throws {
    let model = try folder.write("sure.tflite", ColourModel.bytes(softmax: true))
    try folder.write("pictures/a.png", try Data(contentsOf: URL(fileURLWithPath: picture)))
    let compare = ["compare", model, model, "--data", "\(folder.path)/pictures", "--no-culprits"]
    var found: Set<Double> = []
    // Softmax tells no white background from a black one, which change all channels alike.
    for value in ["ignored", "white", "0000ff"] {
      let compared = try record(compare + ["--transparency", value])
      let classified = try record(["classify", picture, "--model", model, "--transparency", value])
      let models = try #require(compared["models"] as? [[String: Any]])
      let confidence = try #require((models[0]["confidences"] as? [Double])?.first)
      let predictions = try #require(classified["predictions"] as? [[String: Any]])
      let score = try #require(predictions[0]["score"] as? Double)
      #expect(abs(confidence - score) < 1e-6)
      let preparation = try #require(models[1]["preprocess"] as? String)
      #expect(preparation.hasSuffix(", transparency over \(value)") == (value != "ignored"))
      found.insert(confidence)
    }
    #expect(found.count == 3)
  }

  @Test func calibrationsSeeWhatClassifyDoes() throws {
    let model = try folder.write("sure.tflite", ColourModel.bytes(softmax: true))
    for (name, channel) in [("1 red", 0), ("2 green", 1), ("3 blue", 2)] {
      for index in 0..<4 {
        var pixel = [UInt8](repeating: UInt8(10 * index), count: 3) + [128]
        pixel[channel] = 200
        let side = ColourModel.side
        let pixels = (0..<side * side).flatMap { _ in pixel }
        try folder.write(
          "data/\(name)/\(index).png",
          PNGFile.bytes(width: side, height: side, pixels: pixels, hasAlpha: true))
      }
    }
    let calibrate = ["calibrate", model, "--data", "\(folder.path)/data"]
    func error(_ options: [String]) throws -> Double {
      try #require(try record(calibrate + options)["calibration_error_before"] as? Double)
    }
    let (plain, ignored) = (try error([]), try error(["--transparency", "ignored"]))
    let (white, blue) = (
      try error(["--transparency", "white"]), try error(["--transparency", "000040"])
    )
    #expect(plain == ignored && plain != white && plain != blue && white != blue)
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
    for command in [
      ["classify", picture, "--model", model], ["compare", model, model, "--data", picture],
      ["calibrate", model, "--data", picture],
    ] {
      let run = try CommandRun(command + ["--transparency", value])
      #expect(run.exitCode == 2 && run.messages.contains("--transparency"), "\(command)")
    }
  }
}
