import Kernels
import TensorCore

/// The weights and bias of one part of a ``Linear``, checked.
struct LinearPart {
  let columns: Int
  /// How the weights are stored.
  let order: StoredColumns.Order
  private let weightsIndex: Int
  private let biasIndex: Int?

  /// - Throws: ``ApusError`` when types, shapes or scales do not fit.
  init(_ operands: Operands, _ part: Int, of linear: Linear, depth: Int) throws(ApusError) {
    weightsIndex = 1 + part
    let weights = try operands.input(weightsIndex)
    let columnAxis = linear.weightsAreTransposed ? 1 : 0
    guard weights.shape.rank == 2, weights.shape[columnAxis] > 0, weights.shape[1 - columnAxis] == depth
    else {
      throw ApusError(
        .malformedModel, "weights \(weights)",
        expected: columnAxis == 0
          ? "[outputs, \(depth)], as wide as the input" : "[\(depth), outputs], as high as the input is wide")
    }
    columns = weights.shape[columnAxis]
    order = columnAxis == 0 ? .byColumns : .byRows
    guard Self.weightTypes.contains(weights.dataType) else {
      throw ApusError(
        .unsupportedModel, "weights of \(weights.dataType.rawValue)",
        expected: Self.weightTypes.map(\.rawValue).joined(separator: ", "))
    }
    if weights.dataType == .int8 { try Self.checkScales(weights, columns, along: columnAxis) }
    let index = 1 + linear.parts + part
    biasIndex = linear.hasBias && operands.has(index) ? index : nil
    guard let biasIndex else { return }
    let bias = try operands.input(biasIndex)
    guard Self.biasTypes.contains(bias.dataType), bias.shape.elementCount == columns else {
      throw ApusError(
        .malformedModel, "a bias \(bias)",
        expected: "\(columns) elements of \(Self.biasTypes.map(\.rawValue).joined(separator: ", "))")
    }
  }

  private static let biasTypes: [DataType] = [.float32, .float16, .bfloat16]
  private static let weightTypes: [DataType] = biasTypes + [.int8]

  private static func checkScales(
    _ weights: TensorType, _ columns: Int, along axis: Int
  ) throws(ApusError) {
    guard let quantization = weights.quantization else {
      throw ApusError(.malformedModel, "int8 weights without a scale")
    }
    guard quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
      throw ApusError(.unsupportedModel, "int8 weights with a zero point other than 0")
    }
    guard
      !quantization.isPerChannel || (quantization.axis == axis && quantization.scales.count == columns)
    else {
      throw ApusError(
        .malformedModel,
        "\(quantization.scales.count) weight scales along axis \(quantization.axis ?? 0)",
        expected: "\(columns) along axis \(axis)")
    }
  }

  /// The weights, known before the model runs.
  func weights(_ operands: Operands) throws(ApusError) -> Tensor {
    try operands.requireConstant(weightsIndex, "the weights")
  }

  /// The weights' scales, one for each column; empty for floats.
  func scales(_ weights: Tensor) -> [Float] {
    guard weights.dataType == .int8, let scales = weights.quantization?.scales else { return [] }
    return scales.count == columns ? scales : Array(repeating: scales[0], count: columns)
  }

  /// The bias, known before the model runs; nil when there is none.
  func bias(_ operands: Operands) throws(ApusError) -> Tensor? {
    guard let biasIndex else { return nil }
    return try operands.requireConstant(biasIndex, "the bias")
  }
}
