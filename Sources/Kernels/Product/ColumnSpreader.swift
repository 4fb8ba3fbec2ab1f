import CIntrinsics
import TensorCore

/// Brings columns of a matrix side by side, group of elements by group: so panels are packed, and so is a matrix of float32
/// transposed.
struct ColumnSpreader: Sendable {
  /// Columns that are spread at once, at most, and those of one vector.
  let width: Int
  let lanes: Int
  /// Bytes of working memory.
  let byteCount: Int
  /// Elements of 4 bytes together.
  let elementsPerGroup: Int
  private let elementBytes: Int
  private let type: ApusStoredType
  private let scratchBytes: Int
  private let kernel: @convention(c) (UnsafePointer<ApusPanelPacking>) -> Void

  /// Of float32.
  init(_ kernels: ApusFloatKernels) {
    self.init(kernels.pack, lanes: kernels.lanes, ApusStoredFloat32, elementBytes: 4)
  }

  /// Of signed bytes.
  init(_ kernels: ApusIntegerKernels) {
    self.init(kernels.pack, lanes: kernels.lanes, ApusStoredInteger8, elementBytes: 1)
  }

  private init(
    _ kernel: @escaping @convention(c) (UnsafePointer<ApusPanelPacking>) -> Void, lanes: Int,
    _ type: ApusStoredType, elementBytes: Int
  ) {
    self.kernel = kernel
    self.lanes = lanes
    self.type = type
    self.elementBytes = elementBytes
    elementsPerGroup = 4 / elementBytes
    width = 2 * lanes
    scratchBytes = 4 * lanes * (width + 4)
    byteCount = scratchBytes + TensorStorage.padded(width * MemoryLayout<ApusStoredColumn>.stride)
  }

  /// - Parameters:
  ///   - columns: how many there are; the others of `width`, one or two vectors, become zeros.
  ///   - steps: elements from one column to the next, and to the next element of a column.
  ///   - depth: elements of each column.
  ///   - stride: bytes from the first groups to the second ones in `target`.
  ///   - sums: of signed bytes, where the sum of each column goes.
  ///   - memory: ``byteCount`` bytes.
  func spread(
    _ source: UnsafeRawPointer, columns: Int, width: Int, steps: ComputedProduct.Steps, depth: Int,
    to target: UnsafeMutableRawPointer, stride: Int, sums: UnsafeMutablePointer<Int32>? = nil,
    in memory: UnsafeMutableRawPointer
  ) {
    let list = (memory + scratchBytes).assumingMemoryBound(to: ApusStoredColumn.self)
    for lane in 0..<width {
      list[lane] = ApusStoredColumn(
        address: lane < columns ? source + elementBytes * lane * steps.line : nil,
        step: elementBytes * steps.depth, scale: 1, type: type)
    }
    var packing = ApusPanelPacking(
      columns: list, width: width, depth: depth, target: target, targetStride: stride, sums: sums,
      scratch: memory)
    kernel(&packing)
  }
}
