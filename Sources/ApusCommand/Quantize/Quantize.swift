import CommandSupport
import Apus
import ArgumentParser
import Quantizer

struct Quantize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quantize",
    abstract: "Writes a model anew with its weights in fewer bits.",
    discussion: """
      Example: apus quantize google/vit-base-patch16-224 vit-int8 --to int8
      Example: apus quantize sentiment sentiment-int8 --to int8 --calibrate train.tsv
      Example: apus quantize mobilenet.tflite mobilenet-int8.tflite --to int8 --calibrate pictures

      A folder's other files are copied as they are, and so are labels.json, labels.txt, meta.json and rejection.apus beside a .tflite \
      file, unless others of these names are there: those stay, which is said, as the new file is read with them. \
      The card, README.md or the .tflite file's name with .md, is written anew: what the model was made of and what \
      this run measured. A folder's int8 form runs at any precision; at int8 its weights are \
      used as they are stored, and so are rows of embeddings at any. transformers reads it with compressed-tensors where \
      that knows such weights. With --calibrate, pictures or .txt or .tsv files with a text on each line, ways to make \
      it err less are tried: scales that heed how large each weight's inputs are, and smoothing (SmoothQuant), which \
      moves large channels of activations into the weights and changes no result in floats. Every other sample is \
      kept to judge by; what does not help there is not done.

      --to int4 packs the matrices and tables of a transformers folder in 4 bits, with a scale for every 32 weights of a row, or \
      --group-size: a file of an eighth or a seventh of float32's, which compressed-tensors reads. It runs as one of \
      float16 does, and loses more than int8.

      The int8 form of a TFLite file computes with integers throughout; the ranges of its activations come from the \
      samples of --calibrate: pictures, or tensors of the input's shape in .npy files, of which every fourth is kept to \
      judge by. With --activations int16 its activations have 16 bits, inputs and outputs stay floats, and it errs less \
      and takes longer. With --activations float the weights alone are int8, widened when the model is opened; samples are \
      not needed then, and given have biases make up for the rounding of weights, where that errs less.

      --keep names weights of a folder, which become float16; or operators of a TFLite file, by the name of a result, of \
      the weights, or as 'operator 12 (CONV_2D)', which stay float32 with QUANTIZE and DEQUANTIZE around them. Those may be \
      operators of which no int8 form is known.

      --at-most-loss 1 --data photos finds which to keep: a third of the labelled samples chooses layers, the others say \
      with an interval, as 'apus compare --margin' has it, whether at most so much accuracy is lost. A folder's layers are \
      measured by what is stored, in the arithmetic of floats. The exit code is 5 where no mixture is shown to lose so \
      little.
      """)

  @Argument(help: "A model's folder, its name in the local Hugging Face cache, or a float .tflite file.")
  var input: String

  @Argument(help: "The folder or file to write. It appears when all of it is written.")
  var output: String

  @Option(help: "The type of the weights: int8, int4, f16 or bf16.")
  var to: QuantizationTarget

  @Option(
    help: ArgumentHelp("Samples of what the model will be given.", valueName: "folder-or-file"))
  var calibrate: String?

  @Option(
    help: ArgumentHelp(
      """
      Of int4: how many weights of a row have a scale in common, a multiple of 8. Default: 32, or fewer where \
      that does not divide columns and the model takes fewer bytes so.
      """,
      valueName: "count"))
  var groupSize: Int?

  @OptionGroup(title: "Options for a bound of the loss") var loss: QuantizeLossArguments

  @OptionGroup(title: "Options for TFLite files") var file: QuantizeFileArguments

  @Option(
    help: ArgumentHelp(
      "Layers that do not become int8 or int4, as a shell pattern such as '*classifier*'. May be given again.",
      valueName: "pattern"))
  var keep: [String] = []

  @Flag(help: "Replace a model that is there already.")
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
  /// What callers of the written model give and get.
  enum Interface: String, ExpressibleByArgument, CaseIterable { case int8, float }

  @Option(
    help: "The numbers in which a model of int8 weights computes: int8, int16 or float. Default: int8.")
  var activations: ActivationType?

  @Option(help: "The type of inputs and outputs: int8 or float. Default: int8, where activations are int8.")
  var io: Interface?

  func validate() throws {
    if io == .int8, let activations, activations != .int8 {
      throw ValidationError("--io int8 is for --activations int8.")
    }
  }

  @Option(
    help: """
      How ranges follow from samples: extremes, percentile or least-error. Default: the one whose model errs least.
      """)
  var ranges: RangeMethod?

  @Option(
    help: ArgumentHelp(
      "How pictures are prepared. Default: as classify prepares them for the model.",
      valueName: "profile"))
  var preprocess: String?
}

extension ActivationType: ExpressibleByArgument {}
extension RangeMethod: ExpressibleByArgument {}
extension QuantizationTarget: ExpressibleByArgument {}
