import CIntrinsics
import TensorCore

/// One vector of bytes that rows of bytes are multiplied by: the scan of an index.
///
/// The same on every instruction set: sums are exact, and what follows is rounded alike.
package struct RowScan: Sendable {
  /// Rows are so long, or a multiple of it, with zeros behind their last number.
  package static let rowAlignment = 64
  /// Beyond so many numbers a sum might not fit 32 bits.
  package static let widestRow = 1 << 16

  private let query: TensorStorage
  private let stride: Int
  private let scanRows: @convention(c) (UnsafePointer<ApusRowScan>) -> Float

  /// - Parameter query: at most ``widestRow`` numbers, none of them -128.
  package init(_ query: [Int8], kernels: KernelSet = .best) throws(ApusError) {
    stride = Self.stride(query.count)
    let padding = [Int8](repeating: 0, count: stride - query.count)
    self.query = try TensorStorage(copying: query + padding)
    scanRows = kernels.integer.scanRows
  }

  /// Bytes from one row to the next.
  package static func stride(_ width: Int) -> Int { (width + rowAlignment - 1) / rowAlignment * rowAlignment }

  /// The scores of `count` rows: of the first ones, or of those at `places`.
  /// - Parameters:
  ///   - scales: of each row that there is.
  ///   - scores: room for `count`.
  /// - Returns: the greatest of the scores.
  package func scores(
    of rows: UnsafeRawPointer, at places: UnsafePointer<Int32>? = nil, count: Int,
    scales: UnsafePointer<Float>, into scores: UnsafeMutablePointer<Float>
  ) -> Float {
    var scan = ApusRowScan(
      rows: rows, query: UnsafeRawPointer(query.base), stride: stride, places: places, count: count,
      scales: scales, scores: scores)
    return scanRows(&scan)
  }
}
