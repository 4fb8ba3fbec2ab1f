import CommandSupport
import Apus
import ArgumentParser
import Evaluation
import TensorCore

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Has a model say how sure it may be, and which pictures are unlike all that it knows.",
    discussion: """
      Example: apus calibrate leaves.tflite --data held-out --none other-pictures

      Writes into meta.json beside the model what classify then goes by: the temperature at which scores are worth what \
      they say, the score below which an answer is uncertain, and, by the features before the model's last layer, what \
      tells foreign pictures, in rejection.apus. Other members of meta.json stay. The pictures of --data must not \
      have trained the model, or it looks surer than it may be; where it is right about all of them, no temperature is \
      written, and one that was there is taken out. At least ten are needed, two of some \
      class to tell foreign pictures, and ten of --none.

      Foreign pictures are known best by examples: with --none, a folder of them. Folders in it are kinds, and \
      --foreign is asked of each: easy pictures of one kind make no room for hard ones of another. What is printed was \
      measured on pictures that the rejection was not fitted with; how it does on another kind of foreign pictures is to be seen with \
      'apus classify' on some that stood in neither folder.

      Of a folder with a CLIP or SigLIP only the last is fitted, by what its tower for pictures makes of their places, \
      whatever labels zero-shot is given: scores depend on these.

      How pictures are prepared is not written down: classify and zero-shot are to be given the same --preprocess and \
      --transparency.
      """)

  @Argument(help: "A .tflite file, a folder, or a name in the local Hugging Face cache.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "Pictures that did not train the model: a folder for each class, or a list with labels.",
      valueName: "folder-or-list"))
  var data: String

  @Option(
    help: ArgumentHelp(
      "Pictures that show none of the classes; a folder in it for each kind of them.", valueName: "folder"))
  var none: String?

  @Option(help: "The labels, as classify takes them.")
  var labels: String?

  @Option(help: "The meta.json to read and write. Default: that beside the model.")
  var meta: String?

  @Option(help: "The share of certain answers that are to be right, 0 to 1. Default: 0.95.")
  var right: Double?

  @Option(help: "The share of each kind of --none that may be certain, 0 to 1. Default: 0.05.")
  var foreign: Double?

  @Option(
    help: "Without --none: the share of the pictures of --data that are not foreign, 0 to 1. Default: 0.98.")
  var known: Double?

  @Option(
    help: ArgumentHelp("How pictures are prepared. Default: as classify does.", valueName: "profile"))
  var preprocess: String?

  @OptionGroup var decoding: TransparencyArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    let shares: [(name: String, value: Double?)] = [("right", right), ("foreign", foreign), ("known", known)]
    for (name, share) in shares {
      if let share, !(0...1).contains(share) {
        throw ValidationError("--\(name) \(share): a number from 0 to 1.")
      }
    }
    if foreign != nil, none == nil { throw ValidationError("--foreign is for --none.") }
    if known != nil, none != nil { throw ValidationError("--known is for use without --none.") }
  }

  func run() throws {
    var options = CalibrationOptions(data: data)
    options.foreign = none
    options.labels = labels
    options.metadata = meta
    options.preprocessing = try preprocess.map(PreprocessingProfile.named)
    if let right { options.demands.right = right }
    if let foreign { options.demands.foreign = foreign }
    if let known { options.demands.known = known }
    options.transparency = decoding.transparency
    options.inference = inference.options()
    let (outcome, metadata) = try calibrate(options)
    let warnings = try outcome.warnings(metadata: metadata)
    let files = try outcome.write(metadata: metadata)
    for warning in warnings { StandardStreams.report("apus: \(warning)") }
    if json {
      StandardStreams.print(outcome.json(files))
    } else {
      for line in outcome.lines + files.map({ "wrote \($0)" }) { StandardStreams.printLine(line.printable) }
    }
  }

  /// - Returns: what was fitted, and the `meta.json` that it goes into.
  private func calibrate(
    _ options: CalibrationOptions
  ) throws(ApusError) -> (outcome: any CalibrationOutcome, metadata: String) {
    defer { if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K") } }
    func progress(_ done: Int, _ total: Int) {
      if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K\(done) of \(total)") }
    }
    if try ModelTask.all(of: model).contains(.zeroShot) {
      try refuseClasses()
      let calibration = try ZeroShotCalibration(model, options, progress: progress)
      StandardStreams.report(notes: calibration.notes)
      return (try calibration.fit(), calibration.metadataPath)
    }
    let calibration = try ClassifierCalibration(model, options, progress: progress)
    StandardStreams.report(notes: calibration.notes)
    return (try calibration.fit(), calibration.metadataPath)
  }

  /// Of a model that takes any labels no threshold is fitted, and what is right nobody says.
  private func refuseClasses() throws(ApusError) {
    for (option, isGiven) in [("--labels", labels != nil), ("--right", right != nil)] where isGiven {
      throw ApusError(
        .argument, "\(option) for a model that takes any labels", expected: "a classifier", file: model)
    }
  }
}
