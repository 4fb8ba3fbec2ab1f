import Foundation
import TestSupport
import Testing

/// What `apus calibrate` says and writes of a classifier of red, green and blue pictures.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct CalibrateOutcomeTests {
  private static let colours = ["red", "green", "blue"]
  private let folder: TemporaryFolder
  private let model: String
  private let metadata: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    try folder.write("labels.txt", Self.colours.joined(separator: "\n"))
    metadata = try folder.write("meta.json", #"{"temperature": 1.5, "note": 1}"#)
  }

  /// Writes pictures of a colour, each a little darker than the last.
  private func write(_ count: Int, of colour: Int, from brightness: Int, as label: Int) throws {
    let side = ColourModel.side
    for value in (brightness - count + 1)...brightness {
      let pixel = (0..<3).map { $0 == colour ? UInt8(value) : 0 }
      let pixels = (0..<side * side).flatMap { _ in pixel }
      try folder.write(
        "data/\(Self.colours[label])/\(colour)-\(value).png",
        PNGFile.bytes(width: side, height: side, pixels: pixels))
    }
  }

  private func calibrate(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["calibrate", model, "--data", folder.path + "/data"] + arguments)
  }

  @Test func whereAllAreRightTheTemperatureIsTakenOut() throws {
    for colour in 0..<3 { try write(5, of: colour, from: 250, as: colour) }
    let run = try calibrate()
    #expect(run.exitCode == 0 && run.output.contains("no temperature, for all 15 are right"), "\(run.output)")
    #expect(run.messages.contains("the temperature 1.5 is taken out"), "\(run.messages)")
    let written = try String(contentsOfFile: metadata, encoding: .utf8)
    #expect(!written.contains("temperature") && written.contains("note"))
    let again = try calibrate("--json")
    #expect(again.output.contains(#""temperature": null"#), "\(again.output)")
    #expect(!again.messages.contains("temperature"), "\(again.messages)")
    let reason = "no features before a last layer: foreign pictures are not told"
    #expect(again.messages.contains(reason), "\(again.messages)")
    #expect(run.messages.contains(reason) && !run.output.contains(reason), "\(run.output)")
  }

  /// Only what is fitted to features is a file beside the metadata.
  @Test(.enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"))
  func withoutFeaturesTheFolderNeedsNoPlaceForMore() throws {
    for colour in 0..<3 { try write(5, of: colour, from: 250, as: colour) }
    #expect(chmod(metadata, 0o666) == 0 && chmod(folder.path, 0o555) == 0)
    defer { _ = chmod(folder.path, 0o755) }
    let run = try CommandRun(
      shell: "\(CommandRun.asNobody) \"$@\"", ["calibrate", model, "--data", folder.path + "/data"])
    #expect(run.exitCode == 0, "\(run.messages)")
    let written = try String(contentsOfFile: metadata, encoding: .utf8)
    #expect(written.contains("threshold_default"))
  }

  /// Two of five are wrong, and all equally sure: nothing can be certain.
  @Test func whereNothingIsCertainThatIsSaid() throws {
    for colour in 0..<3 {
      try write(3, of: colour, from: 250, as: colour)
      try write(2, of: colour, from: 255, as: (colour + 1) % 3)
    }
    let run = try calibrate()
    #expect(run.exitCode == 0 && run.output.contains("the calibration error goes from"), "\(run.output)")
    #expect(run.output.contains("certain: 0 of 15 (0.0 %), of these right: 0 of 0 (–)"), "\(run.output)")
    #expect(run.messages.contains("fewer than half of the known pictures stay certain"), "\(run.messages)")
  }

  @Test func whatTellsNothingIsRefused() throws {
    try write(1, of: 0, from: 250, as: 0)
    try write(1, of: 1, from: 250, as: 1)
    let few = try calibrate()
    #expect(few.exitCode == 3 && few.messages.contains("2 known pictures, expected 10 at least"))
    try FileManager.default.removeItem(atPath: folder.path + "/data")
    for colour in 0..<3 { try write(5, of: colour, from: 250, as: (colour + 1) % 3) }
    let exchanged = try calibrate()
    #expect(exchanged.exitCode == 3, "\(exchanged.messages)")
    #expect(exchanged.messages.contains("0 of 15 are right"), "\(exchanged.messages)")
    let written = try String(contentsOfFile: metadata, encoding: .utf8)
    #expect(written == #"{"temperature": 1.5, "note": 1}"#)
  }
}
