import ApusService
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Shows the models on this machine and what each takes, and clears the cache of packed weights.",
    discussion: """
      Example: apus models ~/models
      Example: apus models prune --days 30
      """,
    subcommands: [ShowModels.self, PruneModels.self], defaultSubcommand: ShowModels.self)
}

struct ShowModels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the models in folders and in the Hugging Face cache.",
    discussion: """
      Example: apus models ~/models

      The columns of sizes are bytes of the weights in memory, in the precisions that a model may be opened in, of all \
      its towers together; and what is computed on the way, for one picture or one text of the greatest length. What a \
      model lacks here is said of the precision that is recommended for it. Models below a folder that are refused are \
      listed with the reason; a file that is named itself and is no model is an error, and so is a folder that cannot be \
      read.
      """)

  @Argument(
    help: ArgumentHelp(
      "Folders to look in, and below. Default: Weights, here or where the program was built.",
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
