import FoundationEssentials
import JSONCoding
import TensorCore

/// Records as JSON objects, one on each line, each with all members.
final class JSONLinesWriter: RecordWriter {
  private let path: String
  private let file: BufferedFile
  private let hasVectors: Bool

  init(_ path: String, withVectors hasVectors: Bool) throws(ApusError) {
    (self.path, self.hasVectors) = (path, hasVectors)
    file = try BufferedFile(replacing: path)
  }

  func write(_ record: ExportRecord) throws(ApusError) {
    let base64 =
      FileName.isEscaped(record.path) ? Data(FileName.bytes(record.path)).base64EncodedString() : nil
    var members = [
      ("path", JSONText.quoted(FileName.readable(record.path))),
      ("path_base64", base64.map(JSONText.quoted)),
      ("digest", JSONText.quoted(record.digest)),
      ("width", "\(record.width)"),
      ("height", "\(record.height)"),
      (
        "taken_at",
        record.takenAt.map { JSONText.quoted(CalendarTime.text($0) + (record.isTakenByClock ? "" : "Z")) }
      ),
      ("camera", record.camera.map(JSONText.quoted)),
      ("latitude", record.latitude.flatMap(Self.number)),
      ("longitude", record.longitude.flatMap(Self.number)),
    ]
    if hasVectors {
      let numbers = record.vector.map { $0.isFinite ? "\($0)" : "null" }
      members.append(("vector", "[" + numbers.joined(separator: ",") + "]"))
    }
    let line = members.map { "\"\($0)\":\($1 ?? "null")" }.joined(separator: ",")
    try file.write(Array("{\(line)}\n".utf8))
  }

  /// Nil for what JSON has no number for.
  private static func number(_ value: Double) -> String? { value.isFinite ? "\(value)" : nil }

  func finish() throws(ApusError) -> [String] {
    try file.commit()
    return [path]
  }
}
