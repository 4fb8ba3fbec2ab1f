import ApusService
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract:
      "Lists the models on this machine and the memory each needs; cleans the cache of packed weights.",
    discussion: """
      Example: apus models ~/models
      Example: apus models prune --days 30
      """,
    subcommands: [ShowModels.self, PruneModels.self], defaultSubcommand: ShowModels.self)
}

struct ShowModels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Lists models in folders and in the Hugging Face cache.",
    discussion: """
      Example: apus models ~/models

      Sizes are bytes in memory: the weights of all towers at each precision, and the working memory of a run with one \
      picture or one text of full length. If the machine falls short, the message is about the recommended precision. Models \
      in a folder that cannot be opened are listed with the reason; naming a file that is not a model, or a folder that \
      cannot be read, is an error.
      """)

  @Argument(
    help: ArgumentHelp(
      "Folders to search, with their subfolders. Default: Weights, here or where the program was built.",
      valueName: "folder"))
  var folders: [String] = []

  @Flag(inversion: .prefixedNo, help: "Look in the Hugging Face cache.")
  var huggingFace = true

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let report = try ModelsReport(folders, includesHuggingFace: huggingFace)
    for failure in report.failures { StandardStreams.report("apus: \(failure.error)") }
    if json { StandardStreams.print(report.json) } else { report.print() }
    guard let first = report.failures.first else { return }
    let failed = Set(report.failures.map { ExactText($0.place) })
    let isPart = folders.isEmpty || !folders.allSatisfy { failed.contains(ExactText($0)) }
    let status: ExitStatus? = isPart ? .someFailed : ExitStatus(first.error)
    throw (status ?? .someFailed).code
  }
}
