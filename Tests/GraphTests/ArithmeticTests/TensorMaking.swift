import Graph
import TensorCore
import Testing

/// A tensor of float32 numbers.
func floats(_ elements: [Float], _ shape: [Int]? = nil) throws -> Tensor {
  try Tensor(elements, shape: try Shape(shape ?? [elements.count]))
}

/// A tensor of plain or quantized integers.
func integers<Element: TensorElement>(
  _ elements: [Element], _ shape: [Int]? = nil, scale: Float? = nil, zeroPoint: Int32 = 0
) throws -> Tensor {
  let quantization = try scale.map { try Quantization(scales: [$0], zeroPoints: [zeroPoint]) }
  return try Tensor(elements, shape: try Shape(shape ?? [elements.count]), quantization: quantization)
}

/// The type of a quantized result; the operation decides its shape.
func quantized(_ type: DataType, scale: Float, zeroPoint: Int32 = 0) throws -> TensorType {
  TensorType(type, .scalar, quantization: try Quantization(scales: [scale], zeroPoints: [zeroPoint]))
}

/// What an operation says when it refuses operands.
func refusal(_ operation: some Operation, _ inputs: [Tensor], result: TensorType? = nil) throws -> ApusError {
  try #require(throws: ApusError.self) { _ = try evaluate(operation, inputs, result: result) }
}
