import Apus
import ArgumentParser
import Formats
import Quantizer

struct Quantize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a model anew with its weights in fewer bits.",
    discussion: """
      Example: apus quantize google/vit-base-patch16-224 vit-int8 --to int8

      A folder's other files are copied as they are. Its int8 form runs at any precision; at int8 its weights are \
      used as they are stored.
      """)

  @Argument(help: "A model's folder, or its name in the local Hugging Face cache.")
  var input: String

  @Argument(help: "The folder to write. It appears when all of it is written.")
  var output: String

  @Option(help: "The type of the weights: int8, f16 or bf16.")
  var to: QuantizationTarget

  @Option(
    help: ArgumentHelp(
      "Weights that do not become int8, as a shell pattern such as '*classifier*'. May be given again.",
      valueName: "pattern"))
  var keep: [String] = []

  @Flag(help: "Replace a model that is there already.")
  var force = false

  @OptionGroup var threads: Threads

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if !keep.isEmpty, to != .int8 { throw ValidationError("--keep is for --to int8.") }
  }

  func run() throws {
    var options = FolderQuantizer.Options(to)
    options.kept = keep
    options.replaces = force
    options.threads = threads.resolve()
    let report = try FolderQuantizer(ModelFolder(input), options).write(to: output)
    json ? StandardStreams.printLine(report.json.text) : report.print()
  }
}

extension QuantizationTarget: ExpressibleByArgument {}
