import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verifies an index and repairs what can be repaired.")

  @OptionGroup var place: IndexArguments

  func run() throws {
    let problems = try PhotoIndex(at: place.index).check()
    for problem in problems { StandardStreams.printText(problem) }
    guard problems.isEmpty else { throw ExitStatus.badInputFile.code }
    StandardStreams.printText("\(place.index): sound")
  }
}
