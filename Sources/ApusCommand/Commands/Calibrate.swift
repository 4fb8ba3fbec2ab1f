import CommandSupport
import Apus
import ArgumentParser
import Evaluation
import TensorCore

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has a classifier say how sure it may be, and which pictures show none of its classes.",
    discussion: """
      Example: apus calibrate leaves.tflite --data held-out --none other-pictures

      Writes into meta.json beside the model what classify then goes by: the temperature at which scores are worth what \
      they say, the score below which an answer is uncertain, and, by the features before the model's last layer, what \
      tells foreign pictures, in rejection.apus. Other members of meta.json stay. The pictures of --data must not \
      have trained the model, or it looks surer than it may be.

      Foreign pictures are known best by examples: with --none, a folder of them. What is printed was measured on \
      pictures that the rejection was not fitted with; how it does on another kind of foreign pictures is to be seen with \
      'apus classify' on some that stood in neither folder.
      """)

  @Argument(help: "A .tflite file, a folder, or a name in the local Hugging Face cache.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "Pictures that did not train the model: a folder for each class, or a list with labels.",
      valueName: "folder-or-list"))
  var data: String

  @Option(help: ArgumentHelp("Pictures that show none of the classes.", valueName: "folder"))
  var none: String?

  @Option(help: "The labels, as classify takes them.")
  var labels: String?

  @Option(help: "The meta.json to read and write. Default: that beside the model.")
  var meta: String?

  @Option(help: "The share of certain answers that are to be right, 0 to 1.")
  var right = 0.95

  @Option(help: "The share of the pictures of --none that may be certain, 0 to 1.")
  var foreign = 0.05

  @Option(help: "Without --none: the share of the pictures of --data that are not foreign, 0 to 1.")
  var known = 0.98

  @Option(
    help: ArgumentHelp("How pictures are prepared. Default: as classify does.", valueName: "profile"))
  var preprocess: String?

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    for (name, share) in [("right", right), ("foreign", foreign), ("known", known)]
    where !(0...1).contains(share) {
      throw ValidationError("--\(name) \(share): a number from 0 to 1.")
    }
  }

  func run() throws {
    var options = ClassifierCalibration.Options(data: data)
    options.foreign = none
    options.labels = labels
    options.metadata = meta
    options.preprocessing = try preprocess.map(PreprocessingProfile.named)
    options.demands.right = right
    options.demands.foreign = foreign
    options.demands.known = known
    options.inference = inference.options()
    let calibration = try ClassifierCalibration(model, options) { done, total in
      if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K\(done) of \(total)") }
    }
    defer { if StandardStreams.errorIsTerminal { StandardStreams.reportInPlace("\r\u{1B}[K") } }
    let result = try calibration.fit()
    let files = try result.write(metadata: calibration.metadataPath)
    if json {
      StandardStreams.printLine(result.json(files).text)
    } else {
      for line in result.lines(files) { StandardStreams.printLine(line) }
    }
  }
}

extension CalibratedClassifier {
  fileprivate func lines(_ files: [String]) -> [String] {
    func share(_ part: Int, _ whole: Int) -> String {
      "\(part) of \(whole) (\(Format.decimal(100 * Double(part) / Double(max(whole, 1)), 1)) %)"
    }
    let (before, after) = calibrationError
    var lines = [
      "right: \(share(rightCount, known.count))",
      "temperature \(Format.significant(Double(temperature), 3)): the calibration error falls from "
        + "\(Format.decimal(before, 3)) to \(Format.decimal(after, 3))",
      "uncertain below a score of \(Format.decimal(Double(threshold), 2))",
    ]
    if let rejection {
      lines.append("foreign above a novelty of \(Format.significant(Double(rejection.threshold), 4))")
    } else {
      lines.append("no features before a last layer: foreign pictures are not told")
    }
    lines.append(
      "certain: \(share(known.certain, known.count)), of these right: \(share(known.right, known.certain))")
    if let foreign {
      lines.append("foreign pictures that are certain: \(share(foreign.certain, foreign.count))")
    }
    return lines + files.map { "wrote \($0)" }
  }

  fileprivate func json(_ files: [String]) -> JSON {
    func counts(_ answers: Answers) -> JSON {
      .object([
        ("count", .integer(answers.count)), ("certain", .integer(answers.certain)),
        ("certain_right", .integer(answers.right)),
      ])
    }
    return .object([
      ("files", .array(files.map(JSON.string))), ("temperature", .float(temperature)),
      ("threshold", .float(threshold)),
      ("novelty_threshold", rejection.map { .float($0.threshold) } ?? .null), ("right", .integer(rightCount)),
      ("calibration_error_before", .number(calibrationError.before)),
      ("calibration_error", .number(calibrationError.after)), ("known", counts(known)),
      ("foreign", foreign.map(counts) ?? .null), JSON.madeBy,
    ])
  }
}
