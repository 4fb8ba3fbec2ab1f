import Apus
import ArgumentParser
import CommandSupport
import InferenceCommands

@main
enum Main {
  static func main() async {
    Program.begin(ApusCommand.self)
    CompanionProgram.takeOver()
    await Program.run(ApusCommand.self)
  }
}

struct ApusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus",
    abstract: "Runs image and text models on the CPU, without any other runtime.",
    discussion: """
      Example: apus classify photo.jpg --model mobilenet.tflite --labels labels.txt
      Example: apus zero-shot photo.jpg --model openai/clip-vit-base-patch32 --labels "a swift, a swallow"

      Exit codes: 0 success, 1 'bench kernels --assert' found a faster variant, 2 wrong usage, 3 bad input file, 4 model \
      refused or process limit too low, 5 some files of a batch failed or a check did not pass, 6 machine too busy for \
      a check.
      """,
    version: ApusVersion.current,
    subcommands: InferenceCommands.classifying + [
      Photos.self, Serve.self, Compare.self, Calibrate.self, Quantize.self,
    ] + InferenceCommands.reading + [ModelsCommand.self, Monitor.self, Doctor.self])

  @OptionGroup var seal: SealArguments
}

/// `apus serve`, a ``CompanionProgram``: here for the list of commands.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves models over HTTP, to existing clients and to browsers.")

  @Argument(parsing: .captureForPassthrough, help: "The arguments of apus serve.")
  var arguments: [String] = []
}
