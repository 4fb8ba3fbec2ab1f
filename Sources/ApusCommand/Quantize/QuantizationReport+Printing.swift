import CommandSupport
import Evaluation
import Quantizer
import TensorCore

extension QuantizationReport {
  func print() {
    let line = StandardStreams.printText
    var table = Table([
      ("tensor", .left), ("shape", .left), ("from", .left), ("to", .left), ("SQNR", .right),
      ("clipped rows", .right), ("least scale", .right), ("because", .left),
    ])
    for row in rows where row.error != nil { table.append(cells(row)) }
    table.print()
    line("")
    if let groupSize { line("a scale for every \(groupSize) weights of a row") }
    for floats in floats { line(Self.sentence(floats, target)) }
    for (reason, rows) in unchanged {
      let bytes = rows.reduce(0) { $0 + $1.bytesBefore }
      line(
        "unchanged: \(rows.count) tensor\(rows.count == 1 ? "" : "s") of \(Format.bytes(bytes)), \(reason)")
    }
    calibration?.print()
    if !leftOut.isEmpty { line("left out: \(leftOut.joined(separator: ", "))") }
    if !copied.isEmpty { line("copied: \(copied.count == 1 ? copied[0] : "\(copied.count) other files")") }
    if let configuration { line("\(configuration): says the form of the weights, for compressed-tensors") }
    if hasUnstatedIntegers {
      line(
        "only Apus reads the integers with their scales: config.json says nothing of them to compressed-tensors"
      )
    }
    if let card { line("card: \(card), written anew") }
    let share = Double(fileBytesAfter) / Double(max(fileBytesBefore, 1))
    line(
      "weights: \(Format.bytes(fileBytesBefore)) -> \(Format.bytes(fileBytesAfter)) "
        + "(\(Format.decimal(100 * share, 1)) %), SQNR \(error.text)")
    line("\(output): written by Apus \(ApusVersion.current)")
  }

  /// That a new `.tflite` file is read with files that were there before; nil where it is not.
  var companionWarning: String? {
    // A folder leaves out weights in other forms and the old card, which are not read.
    guard !leftOut.isEmpty, !FileSystem.isFolder(output) else { return nil }
    let isOne = leftOut.count == 1
    return "\(output): it will be read with \(leftOut.joined(separator: ", ")) beside it, "
      + "which \(isOne ? "differs from that" : "differ from those") beside \(input). "
      + "Write it into a folder of its own, or replace the file\(isOne ? "" : "s")."
  }

  private func cells(_ row: Row) -> [String] {
    [
      row.name.shortened(to: 70), "[\(row.shape.map(String.init).joined(separator: ", "))]", row.from, row.to,
      row.error?.text ?? "",
      row.clipping.map { "\($0.rows)" } ?? "", row.clipping.map { Format.decimal($0.least, 3) } ?? "",
      row.reason,
    ]
  }

  private static func sentence(_ floats: Floats, _ target: QuantizationTarget) -> String {
    let cost =
      floats.moreBytes > 0
      ? "\(Format.bytes(floats.moreBytes)) more than in \(target.rawValue)"
      : "as little as in \(target.rawValue)"
    return
      "in floats: \(floats.names.count.counted("tensor")) of \(Format.bytes(floats.bytes)), \(cost): \(floats.reason)"
  }

  /// Rows that were left as they are, by the reason, but for those that cost something.
  private var unchanged: [(reason: String, rows: [Row])] {
    Dictionary(grouping: rows.filter { $0.error == nil && $0.integerBytes == nil }, by: \.reason)
      .map { (reason: $0.key, rows: $0.value) }.sorted { $0.reason < $1.reason }
  }

  var json: JSON {
    .object([
      ("input", .string(input)), ("output", .string(output)), ("to", .string(target.rawValue)),
      ("group_size", groupSize.map(JSON.integer) ?? .null),
      ("floats", .array(floats.map(Self.json))),
      ("activations", activations.map { .string($0.rawValue) } ?? .null),
      ("bytes_before", .integer(fileBytesBefore)), ("bytes_after", .integer(fileBytesAfter)),
      ("weights_sqnr_db", .number(error.decibels)),
      ("tensors", .array(rows.map(Self.json))), ("calibration", calibration?.json ?? .null),
      ("mixture", mixture?.json ?? .null),
      ("copied", .array(copied.map(JSON.string))), ("left_out", .array(leftOut.map(JSON.string))),
      ("configuration", configuration.map(JSON.string) ?? .null), ("card", card.map(JSON.string) ?? .null),
      JSON.madeBy,
    ])
  }

  private static func json(_ floats: Floats) -> JSON {
    .object([
      ("reason", .string(floats.reason)), ("tensors", .strings(floats.names)),
      ("bytes", .integer(floats.bytes)),
      ("integer_bytes", .integer(floats.integerBytes)), ("more_bytes", .integer(floats.moreBytes)),
    ])
  }

  private static func json(_ row: Row) -> JSON {
    let clipping: JSON =
      row.clipping.map {
        .object([
          ("clipped_rows", .integer($0.rows)), ("mean_share", .number($0.mean)),
          ("least_share", .number($0.least)),
        ])
      } ?? .null
    return .object([
      ("name", .string(row.name)), ("role", .string(row.role)),
      ("shape", .array(row.shape.map(JSON.integer))),
      ("from", .string(row.from)), ("to", .string(row.to)), ("bytes_before", .integer(row.bytesBefore)),
      ("bytes_after", .integer(row.bytesAfter)),
      ("sqnr_db", row.error.map { .number($0.decibels) } ?? .null), ("clipping", clipping),
      ("reason", .string(row.reason)),
    ])
  }
}

extension SignalToNoise {
  /// `42.0 dB`, or that nothing changed.
  var text: String { decibels.isFinite ? "\(Format.decimal(decibels, 1)) dB" : "exact" }
}
