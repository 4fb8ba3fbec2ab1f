import CIntrinsics
import TensorCore

/// Rows of bytes of which each column goes through two functions, each as a line through float32 that rounds to what the
/// function gives, whatever the byte (``ByteLineSearch``).
package struct ByteLines: Sendable {
  /// x × slope + offset, rounded to nearest and limited to a byte that counts from -128. The first line's x counts from 0,
  /// the second's is what the first gives.
  package struct Line: Sendable {
    var slope: Float = 1
    /// From the bend on; the second line has none.
    var offset: Float = 0
    var offsetBelow: Float = 0
  }

  private let kernel: @convention(c) (UnsafePointer<ApusByteLines>) -> Void
  private let lanes: Int
  private let width: Int
  private let bend: Int32
  private let isSigned: Bool
  private let lines: TensorStorage

  /// - Parameters:
  ///   - width: columns, for each of which ``set(_:_:at:)`` has to be called.
  ///   - bend: the first stored byte that the first lines' offsets are for, and not those below.
  package init(width: Int, bend: Int32, isSigned: Bool, kernels: KernelSet) throws(ApusError) {
    kernel = kernels.integer.followLines
    lanes = kernels.integer.lanes
    self.width = width
    self.bend = bend &+ (isSigned ? 128 : 0)
    self.isSigned = isSigned
    lines = try TensorStorage(byteCount: 20 * ((width + lanes - 1) / lanes * lanes))
  }

  /// Sets the lines of a column. Only while the columns are set up.
  package func set(_ first: Line, _ second: Line, at column: Int) {
    let (vector, lane) = column.quotientAndRemainder(dividingBy: lanes)
    let numbers = lines.base + 20 * lanes * vector + 4 * lane
    let parts = (first.slope, first.offsetBelow, first.offset, second.slope, second.offset)
    numbers.storeBytes(of: parts.0, as: Float.self)
    numbers.storeBytes(of: parts.1, toByteOffset: 4 * lanes, as: Float.self)
    numbers.storeBytes(of: parts.2, toByteOffset: 8 * lanes, as: Float.self)
    numbers.storeBytes(of: parts.3, toByteOffset: 12 * lanes, as: Float.self)
    numbers.storeBytes(of: parts.4, toByteOffset: 16 * lanes, as: Float.self)
  }

  /// Sets the same lines for as many columns as there are lanes.
  func setAll(_ first: Line, _ second: Line) {
    let parts = (first.slope, first.offsetBelow, first.offset, second.slope, second.offset)
    let numbers = lines.base.assumingMemoryBound(to: Float.self)
    numbers.update(repeating: parts.0, count: lanes)
    (numbers + lanes).update(repeating: parts.1, count: lanes)
    (numbers + 2 * lanes).update(repeating: parts.2, count: lanes)
    (numbers + 3 * lanes).update(repeating: parts.3, count: lanes)
    (numbers + 4 * lanes).update(repeating: parts.4, count: lanes)
  }

  /// `rows` of `x`, which may be read a vector's width past their end, to as many of `y`, which is other memory.
  package func run(_ x: UnsafeRawPointer, into y: UnsafeMutableRawPointer, rows: Int) {
    var arguments = ApusByteLines(
      x: x, y: y, rows: rows, width: width, lines: UnsafeRawPointer(lines.base),
      bend: Float(bend), isSigned: isSigned ? 1 : 0)
    kernel(&arguments)
  }
}
