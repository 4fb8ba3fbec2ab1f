import TensorCore

/// Photographs and their vectors written to a file that other programs read, one after another.
///
/// Memory does not grow with their number. Files appear under their names whole, with ``finish()``, or not
/// at all, and of two both or none; where the disk knows no hard links, as FAT and exFAT, the file of lines that was
/// there is not kept when the matrix then cannot take its name. A name that is not UTF-8 is written as text that people can read, with U+FFFD for each byte that is no text,
/// and beside it its bytes: in `path_base64` of JSONL, in `path_bytes` of Parquet; others do not have that.
public final class PhotoExport {
  /// The forms of an export.
  public enum Format: String, Sendable, CaseIterable {
    /// An object on each line, with the numbers of the vector in a list.
    case jsonl
    /// A float32 matrix for NumPy, and its rows' records in a file of lines beside it: `x.npy` and `x.jsonl`.
    case npy
    /// A table with the vectors as lists of float32.
    case parquet

    /// The files of an export to a path.
    func paths(_ path: String) -> [String] {
      self == .npy ? [path, NpyWriter.recordsPath(path)] : [path]
    }
  }

  /// Photographs written so far.
  public private(set) var count = 0
  private let width: Int
  private let writer: any RecordWriter

  /// - Parameters:
  ///   - path: the file, which is replaced in the end, with what a link leads to; or a pipe, which is
  ///     written to as records come, unless the format is ``Format/npy``.
  ///   - format: its form.
  ///   - width: numbers of a vector, from 1 to 65 536.
  /// - Throws: `ApusError` of kind `file` when the folder cannot be written, and of kind `argument` for another width.
  public init(to path: String, as format: Format, width: Int) throws(ApusError) {
    guard 1...65_536 ~= width else {
      throw ApusError(.argument, "vectors of \(width) numbers", expected: "1 to 65536")
    }
    self.width = width
    writer =
      switch format {
      case .jsonl: try JSONLinesWriter(path, withVectors: true)
      case .npy: try NpyWriter(path, width: width)
      case .parquet: try ParquetWriter(path, width: width)
      }
  }

  /// Writes a photograph.
  /// - Throws: `ApusError` of kind `argument` for a vector of another width, and of kind `file`, for a full disk, say.
  public func write(_ record: ExportRecord) throws(ApusError) {
    guard record.vector.count == width else {
      throw ApusError(
        .argument, "a vector of \(record.vector.count) numbers", expected: "\(width)",
        file: FileName.readable(record.path))
    }
    try writer.write(record)
    count += 1
  }

  /// Gives the files their names.
  /// - Returns: their paths.
  public func finish() throws(ApusError) -> [String] { try writer.finish() }
}

/// A writer of records in one format.
protocol RecordWriter: AnyObject {
  func write(_ record: ExportRecord) throws(ApusError)
  /// - Returns: the files' paths.
  func finish() throws(ApusError) -> [String]
}
