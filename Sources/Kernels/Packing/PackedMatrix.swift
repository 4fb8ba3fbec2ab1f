import CIntrinsics
import TensorCore

/// The right operand of a matrix product, its columns regrouped into the panels that the kernels read.
///
/// A panel holds as many columns as two vectors have lanes (the last half as many, when that is enough): a header of
/// one 4-byte starting value a column; for each group of 4 bytes of depth the columns' groups side by side (of bytes twice
/// groups of 2, where kernels widen them);
/// then the table that the epilogue needs.
package struct PackedMatrix: Sendable {
  package let columns: Int
  /// Elements of one column.
  package let depth: Int
  /// 4-byte groups of one column.
  package let groups: Int
  package let lanes: Int
  /// Bytes from one panel to the next.
  package let panelStride: Int
  let storage: TensorStorage

  /// Changes whenever the bytes of a packed matrix do, for the same weights.
  package static let layoutVersion: UInt64 = 3

  /// All panels. Valid only while the matrix lives.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: storage.base, count: storage.byteCount)
  }

  package var panels: UnsafeRawPointer { UnsafeRawPointer(storage.base) }
  package var byteCount: Int { storage.byteCount }
  package var panelCount: Int { Self.panelCount(columns, lanes) }

  static func panelCount(_ columns: Int, _ lanes: Int) -> Int { (columns + 2 * lanes - 1) / (2 * lanes) }

  /// Zeroed panels for `columns` columns of `depth` elements.
  /// - Parameters:
  ///   - lanes: of the kernels that will read them.
  ///   - tableBytes: what the epilogue reads for one vector of columns.
  init(columns: Int, depth: Int, format: WeightFormat, lanes: Int, tableBytes: Int) throws(ApusError) {
    self.columns = columns
    self.depth = depth
    self.lanes = lanes
    groups = format.groups(depth)
    panelStride = Self.panelStride(groups, lanes: lanes, tableBytes: tableBytes)
    storage = try PackedMemory.shared.storage(byteCount: panelStride * Self.panelCount(columns, lanes))
  }

  /// The weights of a linear layer that were packed before.
  /// - Returns: nil when that takes other than the bytes of `storage`.
  package init?(columns: Int, depth: Int, format: WeightFormat, lanes: Int, storage: TensorStorage) {
    guard columns > 0, depth > 0, columns < 1 << 31, depth < 1 << 31 else { return nil }
    self.columns = columns
    self.depth = depth
    self.lanes = lanes
    groups = format.groups(depth)
    panelStride = Self.panelStride(groups, lanes: lanes, tableBytes: format.tableBytes(lanes: lanes))
    let (byteCount, overflow) = panelStride.multipliedReportingOverflow(by: Self.panelCount(columns, lanes))
    guard !overflow, byteCount == storage.byteCount else { return nil }
    self.storage = storage
  }

  private static func panelStride(_ groups: Int, lanes: Int, tableBytes: Int) -> Int {
    (4 * (1 + groups) * 2 * lanes + 2 * tableBytes + 63) / 64 * 64
  }

  /// One panel while it is filled.
  struct Panel {
    /// Columns it has room for, and those that exist.
    let width: Int
    let columns: Range<Int>
    let header: UnsafeMutableRawPointer
    let weights: UnsafeMutableRawPointer
    /// The epilogue's table of the first vector of columns.
    let table: UnsafeMutableRawPointer
  }

  func panel(_ index: Int) -> Panel {
    let first = index * 2 * lanes
    let width = columns - first > lanes ? 2 * lanes : lanes
    let header = storage.base + index * panelStride
    return Panel(
      width: width, columns: first..<min(columns, first + width), header: header, weights: header + 4 * width,
      table: header + 4 * width * (1 + groups))
  }
}
