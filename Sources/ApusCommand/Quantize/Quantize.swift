import CommandSupport
import Apus
import ArgumentParser
import Quantizer

struct Quantize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quantize",
    abstract: "Converts a model to int8, int4, float16 or bfloat16.",
    discussion: """
      Example: apus quantize google/vit-base-patch16-224 vit-int8 --to int8
      Example: apus quantize sentiment sentiment-int8 --to int8 --calibrate train.tsv
      Example: apus quantize mobilenet.tflite mobilenet-int8.tflite --to int8 --calibrate pictures

      The other files of a folder are copied, as are labels.json, labels.txt, meta.json and rejection.apus next to a \
      .tflite file, unless the target already has files of these names: those are kept, with a message, because the new \
      file is read with them. A new model card (README.md, or the .tflite file's name with .md) records how the model was \
      made and what this run measured.

      Folders, --to int8: the result runs at any precision; at int8 its weights are used as stored. transformers reads it \
      through compressed-tensors, for layers that library supports. With --calibrate (pictures, or .txt or .tsv files with \
      a text per line) Apus tries two ways to reduce the error: scales weighted by the size of each weight's inputs, and \
      SmoothQuant, which moves large activation channels into the weights without changing float results. Half of the \
      samples decide whether they help; what does not help is dropped.

      Folders, --to int4: matrices and tables are packed in 4 bits with one scale per 32 weights (--group-size), a seventh \
      to an eighth of the float32 size. The result runs like a float16 folder and loses more accuracy than int8.

      .tflite files, --to int8: all arithmetic is in integers; activation ranges come from --calibrate (pictures, or .npy \
      tensors of the input's shape), a quarter of which is kept for evaluation. --activations int16 is more accurate and \
      slower, with float inputs and outputs. --activations float stores only the weights in int8 and widens them when the \
      model is opened; samples are optional then, and are used to correct biases if that helps.

      --keep leaves some layers in floats: weights of a folder (stored as float16), or operators of a .tflite file, by the \
      name of a result or of the weights, or as 'operator 12 (CONV_2D)'. Operators without an int8 form can be kept too.

      --at-most-loss 1 --data photos chooses the layers to keep: a third of the labelled samples picks them, the rest test \
      whether the loss stays within the limit, as 'apus compare --margin' does. A folder is evaluated with its stored \
      weights in float arithmetic. The exit code is 5 if no mixture passes.
      """)

  @Argument(help: "A model folder, its name in the local Hugging Face cache, or a float .tflite file.")
  var input: String

  @Argument(help: "The folder or file to write; it appears only when complete.")
  var output: String

  @Option(help: "Weight type: int8, int4, f16 or bf16.")
  var to: QuantizationTarget

  @Option(
    help: ArgumentHelp("Calibration samples, typical of the model's inputs.", valueName: "folder-or-file"))
  var calibrate: String?

  @Option(
    help: ArgumentHelp(
      """
      For int4: weights per scale, a multiple of 8. Default: 32, or fewer if 32 does not divide the columns and the \
      result is smaller.
      """,
      valueName: "count"))
  var groupSize: Int?

  @OptionGroup(title: "Options for a bound of the loss") var loss: QuantizeLossArguments

  @OptionGroup(title: "Options for TFLite files") var file: QuantizeFileArguments

  @Option(
    help: ArgumentHelp(
      "Layers to leave in floats, as a shell pattern such as '*classifier*'; repeatable.",
      valueName: "pattern"))
  var keep: [String] = []

  @Flag(help: "Overwrite an existing model.")
  var force = false

  @OptionGroup var threads: Threads

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if !keep.isEmpty, to != .int8, to != .int4 {
      throw ValidationError("--keep is for --to int8 and --to int4.")
    }
    if groupSize != nil, to != .int4 { throw ValidationError("--group-size is for --to int4.") }
    if loss.atMostLoss != nil, to != .int8 { throw ValidationError("--at-most-loss is for --to int8.") }
    if calibrate != nil, to != .int8 { throw ValidationError("--calibrate is for --to int8.") }
  }

  func run() throws {
    defer { if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K") } }
    StandardStreams.goOnWithoutReader()
    var options = try options()
    if let bound = loss.bound { options.mixture = try mixture(options, bound) }
    let report = try ModelQuantizer(input, options).write(to: output)
    json ? StandardStreams.print(report.json) : report.print()
    StandardStreams.report(notes: report.notes)
    if let warning = report.companionWarning { StandardStreams.report("apus: WARNING: \(warning)") }
  }

  /// The cheapest mixture that is within the bound.
  private func mixture(_ options: ModelQuantizer.Options, _ bound: LossBound) throws -> MixtureReport {
    try ModelQuantizer(input, options).checkPlace(output)
    let report = try MixtureSearch(input, options, bound).run(beside: output)
    if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K") }
    if !json { report.print() }
    guard report.taken == nil else { return report }
    let problem = "no mixture is shown to lose so little; nothing was written"
    if json {
      let members = [("mixture", report.json), ("error", .string(problem)), JSON.madeBy]
      StandardStreams.print(JSON.object(members))
    }
    StandardStreams.report(notes: report.notes)
    StandardStreams.report("apus: \(problem)")
    throw ExitStatus.someFailed.code
  }

  private func options() throws(ApusError) -> ModelQuantizer.Options {
    var options = ModelQuantizer.Options(to, calibration: calibrate)
    options.kept = keep
    options.groupSize = groupSize
    options.activations = file.activations
    options.takesFloats = file.io == .float
    options.methods = file.ranges.map { [$0] }
    options.preprocessing = try file.preprocess.map(PreprocessingProfile.named)
    options.replaces = force
    options.threads = threads.resolve()
    if StandardStreams.errorIsTerminal {
      options.progress = { StandardStreams.reportInPlace("\r\u{1B}[K\($0.printable)") }
    }
    return options
  }
}

/// The options that only TFLite files take.
struct QuantizeFileArguments: ParsableArguments {
  /// The types of the written model's inputs and outputs.
  enum Interface: String, ExpressibleByArgument, CaseIterable { case int8, float }

  @Option(
    help: "Activation type of an int8 model: int8, int16 or float. Default: int8.")
  var activations: ActivationType?

  @Option(help: "Type of inputs and outputs: int8 or float. Default: int8 if activations are int8.")
  var io: Interface?

  func validate() throws {
    if io == .int8, let activations, activations != .int8 {
      throw ValidationError("--io int8 is for --activations int8.")
    }
  }

  @Option(
    help: """
      How ranges are computed from samples: extremes, percentile or least-error. Default: the most accurate of them.
      """)
  var ranges: RangeMethod?

  @Option(
    help: ArgumentHelp(
      "Preprocessing profile. Default: the same as 'apus classify' uses for the model.",
      valueName: "profile"))
  var preprocess: String?
}

extension ActivationType: ExpressibleByArgument {}
extension RangeMethod: ExpressibleByArgument {}
extension QuantizationTarget: ExpressibleByArgument {}
