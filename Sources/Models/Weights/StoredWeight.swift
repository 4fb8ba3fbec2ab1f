import Formats
import TensorCore

/// A tensor of a file brought to one of the types that graphs take as weights.
struct StoredWeight {
  let tensor: Tensor

  /// - Throws: ``ApusError`` when the elements are none that stand for real numbers, or int8 without scales.
  init(_ key: String, in collection: SafetensorsCollection) throws(ApusError) {
    let stored = try collection.tensor(key)
    switch stored.dataType {
    case .float32, .float16, .bfloat16: tensor = stored
    case .float64:
      let elements: [Double] = try stored.elements()
      tensor = try Tensor(elements.map { Float($0) }, shape: stored.shape)
    case .int8: tensor = try Self.quantized(stored, key, collection)
    default:
      throw ApusError(
        .malformedModel, "has elements of type \(stored.dataType.rawValue)",
        expected: "float32, float16, bfloat16, float64, or int8 with scales", at: "tensor '\(key.clipped)'")
    }
  }

  /// Rows of int8 with the scale of each: symmetric, so that the zero points are 0.
  private static func quantized(
    _ stored: Tensor, _ key: String, _ collection: SafetensorsCollection
  ) throws(ApusError) -> Tensor {
    let scaleKey = key + "_scale"
    let rows = stored.shape.dimensions.first ?? 1
    guard let entry = collection[scaleKey] else {
      throw ApusError(
        .malformedModel, "has elements of type int8 and no scales",
        expected: "a tensor '\(scaleKey.clipped)' of shape [\(rows)] or [\(rows), 1]",
        at: "tensor '\(key.clipped)'")
    }
    guard entry.shape == [rows] || entry.shape == [rows, 1] else {
      throw ApusError(
        .malformedModel, "has shape \(entry.shape)", expected: "[\(rows)] or [\(rows), 1]",
        at: "tensor '\(scaleKey.clipped)'")
    }
    do {
      let scales = try floats(try collection.tensor(scaleKey))
      let quantization = try Quantization(
        scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: 0)
      return try stored.reinterpreted(as: TensorType(.int8, stored.shape, quantization: quantization))
    } catch {
      throw error.at("tensor '\(scaleKey.clipped)'")
    }
  }

  private static func floats(_ tensor: Tensor) throws(ApusError) -> [Float] {
    switch tensor.dataType {
    case .float32: return try tensor.elements()
    case .float64: return try tensor.elements(of: Double.self).map { Float($0) }
    case .bfloat16, .float16:
      let bits: [UInt16] = try tensor.reinterpreted(as: TensorType(.uint16, tensor.shape)).elements()
      let isBrain = tensor.dataType == .bfloat16
      return bits.map { isBrain ? Float(bitPattern: UInt32($0) << 16) : Float(Float16(bitPattern: $0)) }
    default:
      throw ApusError(.malformedModel, "scales of type \(tensor.dataType.rawValue)", expected: "a float type")
    }
  }
}
