import ApusService
import ArgumentParser
import CommandSupport
import TensorCore

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Shows a recorded performance snapshot: latencies against targets, and alerts.",
    discussion: """
      Example: apus monitor performance.json --html performance.html

      The file comes from PerformanceSnapshot.write(to:) of the ApusService library.
      """)

  @Argument(help: "The snapshot file.")
  var file: String

  @Option(help: ArgumentHelp("Write the dashboard as an HTML page.", valueName: "file"))
  var html: String?

  @Flag(help: "Print the snapshot as one JSON object.")
  var json = false

  func run() throws {
    try OutputFile.check(html)
    let snapshot = try PerformanceSnapshot(contentsOf: file)
    if json { StandardStreams.printBytes(snapshot.json) } else { MonitorText(snapshot).print() }
    if let html { try OutputFile.write(Array(snapshot.html().utf8), to: html) }
  }
}
