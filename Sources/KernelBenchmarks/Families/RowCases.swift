import Graph
import Kernels
import TensorCore

/// Kernels that go over rows of numbers once or twice: bound by loads and stores.
enum RowCases {
  static let shapes = [
    KernelShape(.layerNorm, 64, 192), KernelShape(.layerNorm, 197, 768), KernelShape(.layerNorm, 1024, 1152),
    KernelShape(.softmax, 1, 1001), KernelShape(.softmax, 2364, 197),
    KernelShape(.gelu, 64, 768), KernelShape(.gelu, 197, 3072),
    KernelShape(.quantize, 224, 672), KernelShape(.dequantize, 224, 672), KernelShape(.widen, 768, 3072),
  ]

  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let rows = try Shape([shape.extents[0], shape.extents[1]])
    func movement(
      _ detail: String = "", readBytes: Int = 4, writtenBytes: Int = 4, threads: Int,
      variants: @escaping @Sendable () throws(ApusError) -> [KernelVariant]
    ) -> KernelCase {
      KernelCase(
        family: shape.family, shape: shape.description, detail: detail,
        work: KernelWork(
          .movement, byteCount: rows.elementCount * (readBytes + writtenBytes),
          writing: rows.elementCount * writtenBytes),
        threads: threads, variants: variants)
    }
    switch shape.family {
    case .gelu:
      return GeluForm.allCases.map { form in
        movement(form.rawValue, threads: threads) { () throws(ApusError) in
          try SingleNode(operation: Gelu(form), operands: [.input(try RandomElements.floats(rows))])
            .variants(.float, threads: threads)
        }
      }
    case .softmax:
      return [
        movement(threads: threads) { () throws(ApusError) in
          try SingleNode(operation: Softmax(), operands: [.input(try RandomElements.floats(rows))])
            .variants(.float, threads: threads)
        }
      ]
    case .quantize:
      return [
        movement("f32 to int8", writtenBytes: 1, threads: threads) { () throws(ApusError) in
          try SingleNode(
            operation: Quantize(), operands: [.input(try RandomElements.floats(rows))],
            result: TensorType(.int8, rows, quantization: try bytes)
          ).variants(.integer, threads: threads)
        }
      ]
    case .dequantize:
      return [
        movement("int8 to f32", readBytes: 1, threads: threads) { () throws(ApusError) in
          try SingleNode(
            operation: Dequantize(),
            operands: [.input(try RandomElements.bytes(TensorType(.int8, rows, quantization: try bytes)))],
            result: TensorType(.float32, rows)
          ).variants(threads: threads)
        }
      ]
    case .widen:
      return [
        movement("f16 to f32", readBytes: 2, threads: 1) { () throws(ApusError) in
          try widening(try RandomElements.halves(rows))
        }
      ]
    default:
      return [
        movement(threads: threads) { () throws(ApusError) in
          let width = try Shape([shape.extents[1]])
          return try SingleNode(
            operation: LayerNormalization(epsilon: 1e-6),
            operands: [
              .input(try RandomElements.floats(rows)), .constant(try RandomElements.floats(width)),
              .constant(try RandomElements.floats(width)),
            ]
          ).variants(.float, threads: threads)
        }
      ]
    }
  }

  /// A scale and zero point for numbers in -1…1.
  private static var bytes: Quantization {
    get throws(ApusError) { try Quantization(scales: [1 / 127], zeroPoints: [0]) }
  }

  /// Weights stored as float16, brought to float32: a kernel of packing, no operation.
  private static func widening(_ halves: Tensor) throws(ApusError) -> [KernelVariant] {
    let count = halves.shape.elementCount
    let result = try TensorStorage(byteCount: 4 * count)
    return try FamilyRow.rows(of: .float).map { row in
      KernelVariant(name: row.name, set: row.set, isPicked: row.isPicked) { (repetitions) throws(ApusError) in
        halves.withBytes { bytes in
          guard let address = bytes.baseAddress else { return }
          for _ in 0..<repetitions { row.kernels.float.widenFloat16(address, result.base, count) }
        }
      }
    }
  }
}
