import Apus
import CommandSupport
import Evaluation
import TensorCore

/// What `apus calibrate` fitted to a model.
protocol CalibrationOutcome {
  func write(metadata path: String) throws(ApusError) -> [String]
  var lines: [String] { get }
  func json(_ files: [String]) -> JSON
}

extension CalibratedClassifier: CalibrationOutcome {
  var lines: [String] {
    let (before, after) = calibrationError
    var lines = [
      "right: \(Share(rightCount, known.count))",
      "temperature \(Format.significant(Double(temperature), 3)): the calibration error falls from "
        + "\(Format.decimal(before, 3)) to \(Format.decimal(after, 3))",
      "uncertain below a score of \(Format.decimal(Double(threshold), 2))",
      rejection?.line ?? "no features before a last layer: foreign pictures are not told",
      "certain: \(Share(known.certain, known.count)), of these right: \(Share(known.right, known.certain))",
    ]
    if let foreign { lines.append(Share(foreign.certain, foreign.count).ofForeign) }
    return lines
  }

  func json(_ files: [String]) -> JSON {
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

extension CalibratedZeroShot: CalibrationOutcome {
  var lines: [String] {
    var lines = [rejection.line, "known pictures that are certain: \(Share(known.certain, known.count))"]
    if let foreign { lines.append(Share(foreign.certain, foreign.count).ofForeign) }
    return lines
  }

  func json(_ files: [String]) -> JSON {
    func counts(_ answers: Answers) -> JSON {
      .object([("count", .integer(answers.count)), ("certain", .integer(answers.certain))])
    }
    return .object([
      ("files", .array(files.map(JSON.string))), ("novelty_threshold", .float(rejection.threshold)),
      ("known", counts(known)), ("foreign", foreign.map(counts) ?? .null), JSON.madeBy,
    ])
  }
}

extension FittedRejection {
  fileprivate var line: String { "foreign above a novelty of \(Format.significant(Double(threshold), 4))" }
}

/// A part of a whole, as people read it.
private struct Share: CustomStringConvertible {
  private let part: Int
  private let whole: Int

  init(_ part: Int, _ whole: Int) {
    self.part = part
    self.whole = whole
  }

  var description: String {
    "\(part) of \(whole) (\(Format.decimal(100 * Double(part) / Double(max(whole, 1)), 1)) %)"
  }

  var ofForeign: String { "foreign pictures that are certain: \(self)" }
}
