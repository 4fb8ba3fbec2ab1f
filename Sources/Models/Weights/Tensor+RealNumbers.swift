import Graph
import TensorCore

extension Tensor {
  /// The numbers that the elements stand for: those of a float type, or int8 with a scale for each row.
  func realNumbers() throws(ApusError) -> [Float] {
    guard dataType == .int8, let scales = quantization?.scales, shape.elementCount > 0 else {
      return try floats()
    }
    let stored = try elements(of: Int8.self)
    let rowLength = stored.count / scales.count
    return stored.indices.map { Float(stored[$0]) * scales[$0 / rowLength] }
  }
}
