import CIntrinsics
import TensorCore

extension PackedMatrix {
  /// Packs the columns of all `parts` side by side.
  /// - Parameters:
  ///   - bias: one number for each column; zeros when nil.
  /// - Throws: ``ApusError`` for element types other than float32, float16, bfloat16 and int8, or when there is
  ///   no memory.
  package static func linear(
    _ parts: [StoredColumns], depth: Int, bias: [Float]?, kernels: KernelSet
  ) throws(ApusError) -> PackedMatrix {
    let matrix = try PackedMatrix(
      columns: parts.reduce(0) { $0 + $1.count }, depth: depth, elementsPerGroup: 1, tableBytes: 0,
      kernels: kernels)
    var first = 0
    for part in parts {
      switch part.dataType {
      case .float32: matrix.fill(part, from: first) { (x: Float, _) in x }
      case .float16: matrix.fill(part, from: first) { (x: Float16, _) in Float(x) }
      case .bfloat16: matrix.fill(part, from: first) { (x: BFloat16, _) in x.float32 }
      case .int8: matrix.fill(part, from: first) { (x: Int8, scale) in Float(x) * scale }
      default:
        throw ApusError(
          .unsupportedModel, "weights of \(part.dataType.rawValue)",
          expected: "float32, float16, bfloat16 or int8")
      }
      first += part.count
    }
    if let bias { matrix.setHeaders(bias) }
    return matrix
  }

  private func fill<Element: BitwiseCopyable>(
    _ part: StoredColumns, from first: Int, _ float32: (Element, Float) -> Float
  ) {
    for column in 0..<part.count {
      let panel = panel((first + column) / (2 * lanes))
      let scale = column < part.scales.count ? part.scales[column] : 1
      var place = panel.weights + 4 * ((first + column) % (2 * lanes))
      let source = column * depth * MemoryLayout<Element>.size
      for k in 0..<depth {
        let element = part.bytes.loadUnaligned(
          fromByteOffset: source + k * MemoryLayout<Element>.size, as: Element.self)
        place.storeBytes(of: float32(element, scale), as: Float.self)
        place += 4 * panel.width
      }
    }
  }
}
