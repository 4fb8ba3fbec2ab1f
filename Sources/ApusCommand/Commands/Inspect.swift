import Apus
import ArgumentParser
import Foundation

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what a model is made of and how it would run here.",
    discussion: "Example: apus inspect mobilenet.tflite")

  @Argument(help: "The .tflite file.")
  var model: String

  @Option(help: "A signature by its key, or a subgraph by its name or position.")
  var signature: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    EnvironmentNotes.report(ProcessInfo.processInfo.environment)
    let entry = signature.map { ModelOptions.Entry.named($0) } ?? .main
    let summary = try ModelSummary(ModelFile(model), options: ModelOptions(entry: entry))
    if json {
      StandardStreams.printLine(summary.json.text)
    } else {
      summary.print()
    }
  }
}
