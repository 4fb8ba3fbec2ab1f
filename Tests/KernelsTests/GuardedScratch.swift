import Kernels
import TensorCore

/// Working memory of exactly the bytes that a product asks for, which tells whether it wrote on behind them.
struct GuardedScratch {
  private static let guardBytes = 256
  private static let pattern: UInt8 = 0xa5

  private let storage: TensorStorage
  private let byteCount: Int

  init(_ product: MatrixProduct, rows: Int, threads: Int) throws {
    try self.init(byteCount: product.scratchByteCount(rows: rows, threads: threads))
  }

  init(byteCount: Int) throws {
    self.byteCount = byteCount
    storage = try TensorStorage(byteCount: byteCount + Self.guardBytes)
    (storage.base + byteCount).initializeMemory(
      as: UInt8.self, repeating: Self.pattern, count: Self.guardBytes)
  }

  /// Valid only while this lives.
  var base: UnsafeMutableRawPointer { storage.base }

  var isIntact: Bool {
    UnsafeRawBufferPointer(start: storage.base + byteCount, count: Self.guardBytes).allSatisfy {
      $0 == Self.pattern
    }
  }
}
