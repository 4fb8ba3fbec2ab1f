import Formats
import TensorCore

/// Vectors as a NumPy matrix, and all else of their records in lines beside it.
final class NpyWriter: RecordWriter {
  private let path: String
  private let width: Int
  private let file: BufferedFile
  private let records: JSONLinesWriter
  private let recordsPath: String
  private var count = 0

  init(_ path: String, width: Int) throws(ApusError) {
    (self.path, self.width) = (path, width)
    guard !FileSystem.isStream(path) else {
      throw ApusError(
        .file, "is no file", expected: "a file: a .npy begins with how many rows follow", file: path)
    }
    recordsPath = Self.recordsPath(path)
    records = try JSONLinesWriter(recordsPath, withVectors: false)
    file = try BufferedFile(replacing: path)
    // Its place: how many rows there are stands in it, and is known in the end.
    try file.write(try header)
  }

  /// The lines beside a matrix.
  static func recordsPath(_ path: String) -> String {
    let ending = ".npy"
    return (path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".jsonl"
  }

  private var header: [UInt8] {
    get throws(ApusError) { try Npy.header(.float32, try Shape([count, width])) }
  }

  func write(_ record: ExportRecord) throws(ApusError) {
    try records.write(record)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width)
    for number in record.vector { bytes.append(littleEndian: number.bitPattern) }
    try file.write(bytes)
    count += 1
  }

  func finish() throws(ApusError) -> [String] {
    try file.overwriteStart(try header)
    // The lines that are there belong to the matrix that is there, until both are replaced.
    let old = KeptFile(recordsPath)
    do throws(ApusError) {
      let paths = try records.finish()
      try file.commit()
      old.forget()
      return [path] + paths
    } catch {
      old.restore()
      throw error
    }
  }
}
