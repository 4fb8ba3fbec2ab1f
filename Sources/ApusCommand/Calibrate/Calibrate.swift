import CommandSupport
import Apus
import ArgumentParser
import Evaluation
import TensorCore

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Fits a classifier's confidence, and teaches it to reject foreign pictures.",
    discussion: """
      Example: apus calibrate leaves.tflite --data held-out --none other-pictures

      Writes to meta.json next to the model, which classify then reads: a temperature that makes scores match accuracy, \
      the score below which a result is uncertain, and, in rejection.apus, a test for foreign pictures that uses the \
      features before the model's last layer. Other keys of meta.json are kept. Use pictures for --data that were not \
      used in training, or the model will look more certain than it is; if it gets all of them right, no temperature is \
      written, and an existing one is removed. At least ten pictures are needed, two of them of one class for the test \
      for foreign pictures, and ten in --none.

      Foreign pictures are recognised best with examples: give a folder of them with --none. Its subfolders are kinds, \
      and --foreign applies to each kind, so that easy ones do not hide hard ones. The printed figures are from pictures \
      that were held out of the fit; try 'apus classify' on other foreign pictures to see how well it generalises.

      For a CLIP or SigLIP folder only the test for foreign pictures is fitted, from the features of its picture tower: \
      scores depend on the labels given to zero-shot.

      Preprocessing is not recorded: give classify and zero-shot the same --preprocess and --transparency.
      """)

  @Argument(help: "A .tflite file, a model folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "Pictures not used in training: one folder per class, or a list with labels.",
      valueName: "folder-or-list"))
  var data: String

  @Option(
    help: ArgumentHelp(
      "Pictures that show none of the classes; subfolders are counted as separate kinds.", valueName: "folder"
    ))
  var none: String?

  @Option(help: "Labels, in the form 'apus classify' takes.")
  var labels: String?

  @Option(help: "The meta.json to read and write. Default: the one next to the model.")
  var meta: String?

  @Option(help: "Target accuracy of certain results, 0 to 1. Default: 0.95.")
  var right: Double?

  @Option(help: "Largest share of each kind of --none that may be accepted, 0 to 1. Default: 0.05.")
  var foreign: Double?

  @Option(
    help: "Without --none: share of --data to accept as known, 0 to 1. Default: 0.98.")
  var known: Double?

  @Option(
    help: ArgumentHelp(
      "Preprocessing profile. Default: the same as 'apus classify' uses.", valueName: "profile"))
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
