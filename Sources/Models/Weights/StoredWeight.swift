import Formats
import Graph
import TensorCore

/// A tensor of a file brought to one of the types that graphs take as weights.
struct StoredWeight {
  let tensor: Tensor
  let source: WeightSource

  /// - Throws: ``ApusError`` when the elements are none that stand for real numbers, or int8 without scales.
  init(_ key: String, in collection: SafetensorsCollection) throws(ApusError) {
    let stored = try collection.tensor(key)
    source = WeightSource(key, rows: 0..<(stored.shape.dimensions.first ?? 1))
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

  /// A matrix that was not stored as it is.
  init(_ matrix: Tensor, _ key: String) {
    self.init(matrix, WeightSource(key, rows: 0..<(matrix.shape.dimensions.first ?? 1)))
  }

  private init(_ tensor: Tensor, _ source: WeightSource) {
    self.tensor = tensor
    self.source = source
  }

  /// Slices of the outermost axis of a whole tensor, sharing its memory.
  /// - Throws: ``ApusError`` when the range is not within the axis.
  func rows(_ range: Range<Int>) throws(ApusError) -> StoredWeight {
    StoredWeight(try tensor.rows(range), WeightSource(source.tensor, rows: range))
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
    try refuseOffsets(key, collection)
    do {
      let scales = try floats(try collection.tensor(scaleKey))
      let quantization = try Quantization(
        scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: 0)
      return try stored.reinterpreted(as: TensorType(.int8, stored.shape, quantization: quantization))
    } catch {
      throw error.at("tensor '\(scaleKey.clipped)'")
    }
  }

  /// Other zero points than 0 would give other numbers.
  private static func refuseOffsets(_ key: String, _ collection: SafetensorsCollection) throws(ApusError) {
    let name = key + "_zero_point"
    guard collection[name] != nil else { return }
    let isZero = unsafe try collection.tensor(name).withBytes { unsafe $0.allSatisfy { $0 == 0 } }
    guard isZero else {
      throw ApusError(
        .unsupportedModel, "has zero points other than 0", expected: "symmetric weights",
        at: "tensor '\(name.clipped)'")
    }
  }

  private static func floats(_ tensor: Tensor) throws(ApusError) -> [Float] {
    switch tensor.dataType {
    case .float32: return try tensor.elements()
    case .float64: return try tensor.elements(of: Double.self).map { Float($0) }
    case .float16: return try tensor.elements(of: Float16.self).map { Float($0) }
    case .bfloat16: return try tensor.elements(of: BFloat16.self).map { Float($0) }
    default:
      throw ApusError(.malformedModel, "scales of type \(tensor.dataType.rawValue)", expected: "a float type")
    }
  }
}

extension Tensor {
  fileprivate func rows(_ range: Range<Int>) throws(ApusError) -> Tensor {
    guard let extent = shape.dimensions.first, range.lowerBound >= 0, range.upperBound <= extent else {
      throw ApusError(.argument, "rows \(range) of a tensor of shape \(shape)", expected: "rows that it has")
    }
    let rowByteCount = extent == 0 ? 0 : type.byteCount / extent
    var quantization = quantization
    if let whole = quantization, whole.isPerChannel, whole.axis == 0 {
      quantization = try Quantization(
        scales: Array(whole.scales[range]), zeroPoints: Array(whole.zeroPoints[range]), axis: 0)
    }
    let type = TensorType(
      dataType, try Shape([range.count] + shape.dimensions.dropFirst()), quantization: quantization)
    return try Tensor(type, storage: storage, byteOffset: byteOffset + range.lowerBound * rowByteCount)
  }
}

extension GraphBuilder {
  /// A stored tensor as a constant.
  /// - Parameter name: the value's; that of the tensor when nil.
  mutating func constant(_ weight: StoredWeight, as name: String? = nil) -> Value {
    constant(name ?? weight.source.tensor, weight.tensor, source: weight.source)
  }
}
