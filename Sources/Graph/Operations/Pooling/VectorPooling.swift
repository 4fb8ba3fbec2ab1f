import CIntrinsics
import Kernels

/// The mean or the greatest element of each window by a vector kernel.
struct VectorPooling: Sendable {
  let layout: PoolLayout
  let kernels: KernelSet

  /// The means of float32.
  func means(_ clamp: FloatClamp) -> Lowering.Body { floats(kernels.float.averagePool, clamp) }

  /// The greatest of float32.
  func greatest(_ clamp: FloatClamp) -> Lowering.Body { floats(kernels.float.maxPool, clamp) }

  private func floats(
    _ kernel: @escaping @convention(c) (UnsafePointer<ApusPool>) -> Void, _ clamp: FloatClamp
  ) -> Lowering.Body {
    body(Float.self, kernel) {
      $0.low = clamp.lower
      $0.high = clamp.upper
    }
  }

  /// The means of bytes, in windows of fewer than 65 536 taps.
  func means(_ range: ClosedRange<Int32>, isSigned: Bool) -> Lowering.Body {
    bytes(kernels.integer.averagePool, range, isSigned: isSigned)
  }

  /// The greatest of bytes.
  func greatest(_ range: ClosedRange<Int32>, isSigned: Bool) -> Lowering.Body {
    bytes(kernels.integer.maxPool, range, isSigned: isSigned)
  }

  private func bytes(
    _ kernel: @escaping @convention(c) (UnsafePointer<ApusPool>) -> Void, _ range: ClosedRange<Int32>,
    isSigned: Bool
  ) -> Lowering.Body {
    body(UInt8.self, kernel) {
      $0.lowQuantum = range.lowerBound
      $0.highQuantum = range.upperBound
      $0.isSigned = isSigned ? 1 : 0
    }
  }

  private func body<Element: BitwiseCopyable>(
    _: Element.Type, _ kernel: @escaping @convention(c) (UnsafePointer<ApusPool>) -> Void,
    _ limit: @escaping @Sendable (inout ApusPool) -> Void
  ) -> Lowering.Body {
    let layout = layout
    let size = MemoryLayout<Element>.size
    return {
      $0.forEachPosition(layout) { (position, image: UnsafeBufferPointer<Element>, result) in
        guard let image = image.baseAddress, let target = result.baseAddress else { return }
        var pool = ApusPool(
          input: image + position.origin, rowStride: position.rowStride * size,
          columnStride: result.count * size, output: target, rows: position.tapRows,
          columns: position.tapColumns, channels: result.count, low: 0, high: 0, lowQuantum: 0,
          highQuantum: 0, isSigned: 0)
        limit(&pool)
        kernel(&pool)
      }
    }
  }
}
