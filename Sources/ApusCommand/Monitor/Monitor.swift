import ApusService
import ArgumentParser
import CommandSupport
import TensorCore

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Shows what a program's performance monitor wrote down: times against targets, and alerts.",
    discussion: """
      Example: apus monitor performance.json --html performance.html

      The file is what PerformanceSnapshot.write(to:) of the library ApusService made.
      """)

  @Argument(help: "A file with a snapshot of a performance monitor.")
  var file: String

  @Option(help: ArgumentHelp("Write the dashboard as a page that any browser shows.", valueName: "file"))
  var html: String?

  @Flag(help: "Print one JSON object, as it is in the file.")
  var json = false

  func run() throws {
    try OutputFile.check(html)
    let snapshot = try PerformanceSnapshot(contentsOf: file)
    if json { StandardStreams.printBytes(snapshot.json) } else { MonitorText(snapshot).print() }
    if let html { try OutputFile.write(Array(snapshot.html().utf8), to: html) }
  }
}
