import Kernels
import TensorCore

/// Where what lies in a vector file.
///
/// Behind a page for the header come groups of 1024 rows. A group has its rows' bytes, then their scales (float32), their
/// checks (UInt32) and the ids of their contents (Int64), so that a scan reads memory in order, and rows are added by
/// writing behind the last one. All groups are whole; what no row has taken is zeros. Numbers are little-endian.
struct VectorFileLayout: Sendable, Hashable {
  static let headerByteCount = 4096
  static let rowsPerGroup = 1024
  /// Rows are counted in 32 bits.
  static let mostRows = Int(Int32.max)

  let width: Int
  /// Bytes of a row: its numbers, and zeros up to a multiple of 64.
  let stride: Int

  /// Nil for a width that no scan takes.
  init?(width: Int) {
    guard 1...RowScan.widestRow ~= width else { return nil }
    self.width = width
    stride = RowScan.stride(width)
  }

  var groupByteCount: Int { Self.rowsPerGroup * (stride + 16) }

  /// Bytes of a file with so many rows, at most ``mostRows``.
  func fileByteCount(rows: Int) -> Int {
    Self.headerByteCount + (rows + Self.rowsPerGroup - 1) / Self.rowsPerGroup * groupByteCount
  }

  /// Where a group's parts start, beside its own start.
  var scales: Int { Self.rowsPerGroup * stride }
  var checks: Int { scales + 4 * Self.rowsPerGroup }
  var ids: Int { checks + 4 * Self.rowsPerGroup }

  func group(_ index: Int) -> Int { Self.headerByteCount + index * groupByteCount }

  /// Where the parts of a row are in the file.
  func place(of row: Int) -> (numbers: Int, scale: Int, check: Int, id: Int) {
    let (start, index) = (group(row / Self.rowsPerGroup), row % Self.rowsPerGroup)
    return (
      start + index * stride, start + scales + 4 * index, start + checks + 4 * index, start + ids + 8 * index
    )
  }
}
