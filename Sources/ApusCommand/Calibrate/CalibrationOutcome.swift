import Apus
import CommandSupport
import Evaluation
import TensorCore

/// The values that `apus calibrate` fitted to a model.
protocol CalibrationOutcome {
  func write(metadata path: String) throws(ApusError) -> [String]
  /// Warnings, with the `meta.json` before it is written.
  func warnings(metadata path: String) throws(ApusError) -> [String]
  var lines: [String] { get }
  func json(_ files: [String]) -> JSON
}

extension CalibratedClassifier: CalibrationOutcome {
  func warnings(metadata path: String) throws(ApusError) -> [String] {
    let removed = try removedTemperature(metadata: path).map {
      "\(path): the temperature \($0) is taken out, as none was found to take its place"
    }
    let removedRejection =
      try removesRejection(metadata: path)
      ? "\(path): the rejection is taken out, as none was fitted to take its place" : nil
    return [removed, removedRejection, rejectionAbsence, Share(known.certain, known.count).warning]
      .compactMap(\.self)
  }

  var lines: [String] {
    var lines = [
      "right: \(Share(rightCount, known.count))", temperatureLine,
      "uncertain below a score of \(Format.decimal(Double(threshold), 2))",
    ]
    if let rejection { lines.append(rejection.line) }
    lines.append(
      "certain: \(Share(known.certain, known.count)), of these right: \(Share(known.right, known.certain))")
    if let foreign { lines.append(Share(foreign.certain, foreign.count).ofForeign) }
    lines += foreignKinds.map { Share($1.certain, $1.count).line(of: $0) }
    return lines
  }

  /// Why there is no rejection; nil where there is one.
  private var rejectionAbsence: String? {
    guard rejection == nil else { return nil }
    let reason =
      lacksPairs
      ? "no two pictures of one class, by whose scatter a rejection is fitted"
      : "no features before a last layer"
    return "\(reason): foreign pictures are not told"
  }

  private var temperatureLine: String {
    let (before, after) = (
      Format.decimal(calibrationError.before, 3), Format.decimal(calibrationError.after, 3)
    )
    if let temperature {
      return "temperature \(Format.significant(Double(temperature), 3)): the calibration error goes from "
        + "\(before) to \(after)"
    }
    let reason =
      if rightCount == known.count {
        "all \(known.count) are right"
      } else if ruledOutCount > 0 {
        "the right class has a score of 0 in \(ruledOutCount) of \(known.count)"
      } else {
        "the likeliest is below 0.01"
      }
    return
      "no temperature, for \(reason): how sure answers may be cannot be told; more or harder pictures would "
      + "tell (calibration error \(before))"
  }

  func json(_ files: [String]) -> JSON {
    func counts(_ answers: Answers) -> JSON {
      .object([
        ("count", .integer(answers.count)), ("certain", .integer(answers.certain)),
        ("certain_right", .integer(answers.right)),
      ])
    }
    return .object([
      ("files", .array(files.map(JSON.string))), ("temperature", temperature.map(JSON.float) ?? .null),
      ("threshold", .float(threshold)),
      ("novelty_threshold", rejection.map { .float($0.threshold) } ?? .null), ("right", .integer(rightCount)),
      ("calibration_error_before", .number(calibrationError.before)),
      ("calibration_error", .number(calibrationError.after)), ("known", counts(known)),
      ("foreign", foreign.map(counts) ?? .null),
      ("foreign_kinds", .array(foreignKinds.map { kind(of: $0, $1.count, $1.certain) })), JSON.madeBy,
    ])
  }
}

extension CalibratedZeroShot: CalibrationOutcome {
  func warnings(metadata path: String) throws(ApusError) -> [String] {
    [Share(known.certain, known.count).warning].compactMap(\.self)
  }

  var lines: [String] {
    var lines = [rejection.line, "known pictures that are certain: \(Share(known.certain, known.count))"]
    if let foreign { lines.append(Share(foreign.certain, foreign.count).ofForeign) }
    lines += foreignKinds.map { Share($1.certain, $1.count).line(of: $0) }
    return lines
  }

  func json(_ files: [String]) -> JSON {
    func counts(_ answers: Answers) -> JSON {
      .object([("count", .integer(answers.count)), ("certain", .integer(answers.certain))])
    }
    return .object([
      ("files", .array(files.map(JSON.string))), ("novelty_threshold", .float(rejection.threshold)),
      ("known", counts(known)), ("foreign", foreign.map(counts) ?? .null),
      ("foreign_kinds", .array(foreignKinds.map { kind(of: $0, $1.count, $1.certain) })), JSON.madeBy,
    ])
  }
}

extension FittedRejection {
  fileprivate var line: String { "foreign above a novelty of \(Format.significant(Double(threshold), 4))" }
}

private func kind(of name: String, _ count: Int, _ certain: Int) -> JSON {
  .object([("kind", .string(name)), ("count", .integer(count)), ("certain", .integer(certain))])
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
    let percent = whole > 0 ? "\(Format.decimal(100 * Double(part) / Double(whole), 1)) %" : "–"
    return "\(part) of \(whole) (\(percent))"
  }

  /// A warning if few known pictures stay certain.
  var warning: String? {
    2 * part < whole ? "fewer than half of the known pictures stay certain: \(self)" : nil
  }

  var ofForeign: String { "foreign pictures that are certain: \(self)" }

  /// - Parameter kind: the name of a folder of foreign pictures; empty for those in none.
  func line(of kind: String) -> String { "  \(kind.isEmpty ? "in no folder" : kind): \(self)" }
}
