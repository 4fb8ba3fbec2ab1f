import Apus
import ArgumentParser
import CommandSupport
import InferenceCommands

@main
enum Main {
  static func main() async {
    Program.begin(ApusInferenceCommand.self)
    await Program.run(ApusInferenceCommand.self)
  }
}

/// `apus` with the commands that run models, and no others: half the modules, so that a new clone answers sooner.
struct ApusInferenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus",
    abstract: "Runs image and text models on the CPU, with no other runtime.",
    version: ApusVersion.current,
    subcommands: InferenceCommands.all)

  @OptionGroup var seal: SealArguments
}
