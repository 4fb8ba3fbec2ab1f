import Foundation
import TestSupport
import Testing

/// `apus models` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct ModelsCommandTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("models/colour.tflite", ColourModel.bytes(softmax: true))
  }

  private func run(_ places: [String]) throws -> CommandRun {
    try CommandRun(["models", "--no-hugging-face"] + places)
  }

  /// As `apus inspect` fails with it.
  @Test func aFileThatIsNoModelFails() throws {
    let text = try folder.write("notes.txt", "no model at all")
    for place in ["/dev/null", text] {
      let (found, inspected) = (try run([place]), try CommandRun(["inspect", place]))
      #expect(found.exitCode == inspected.exitCode && found.exitCode > 2, "\(found.exitCode) \(place)")
      #expect(found.messages.contains("apus: \(place)"), "\(found.messages)")
      #expect(!found.output.contains("refused"), "\(found.output)")
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(run([place, "--json"]).output.utf8)) as? [String: Any])
      #expect((record["error"] as? String)?.contains(place) == true)
    }
  }

  /// The system takes no path to it at once.
  @Test func aModelLiesAsDeepAsItLikes() throws {
    let below = try folder.writeDeep("deep.tflite", ColourModel.bytes(softmax: true))
    let file = "\(folder.path)/\(below)"
    for place in [file, String(file.dropLast("/deep.tflite".count))] {
      let found = try run([place])
      #expect(found.exitCode == 0 && found.output.contains("deep.tflite"), "\(found.messages)")
    }
  }

  @Test func someOfThePlacesMayFail() throws {
    let mixed = try run([model, "/dev/null", "/nonexistent"])
    #expect(mixed.exitCode == 5 && mixed.output.contains("colour.tflite"), "\(mixed.output)")
    #expect(mixed.messages.contains("/dev/null") && mixed.messages.contains("/nonexistent: there is no"))
    #expect(try run(["/nonexistent"]).exitCode == 3)
  }

  /// A folder may hold anything.
  @Test func aRefusedModelInAFolderIsListed() throws {
    try folder.write("models/broken.tflite", "no model at all")
    let found = try run([folder.path + "/models"])
    #expect(found.exitCode == 0 && found.output.contains("refused: "), "\(found.output)")
  }
}
