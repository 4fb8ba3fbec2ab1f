import Kernels
import TensorCore

/// Batch normalization of bytes: the product with a column's scale, rounded to a byte of a quantization of its own, and the
/// sum of that and the column's offset.
///
/// Operands: x int8 or uint8 [..., C], scale [C] and offset [C], constants of the same type. All are quantized, each in its
/// way; results are those of ``Multiply`` and ``Add`` one after the other. Source of what it is for: Ioffe and Szegedy
/// 2015, "Batch Normalization".
package struct QuantizedScaleAndShift: Operation {
  /// How the products and the results are stored.
  package let product: Quantization
  package let result: Quantization
  /// Of the results.
  package let activation: Activation
  package var name: String { "scaleAndShift" }

  package init(product: Quantization, result: Quantization, activation: Activation = .none) {
    self.product = product
    self.result = result
    self.activation = activation
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try activation.requireClamp()
    let x = try operands.input(0, of: [.int8, .uint8])
    try operands.requireSameType(0...2)
    for (index, role) in [(1, "the scale"), (2, "the offset")] {
      let constant = try operands.input(index)
      guard constant.shape.elementCount == x.shape.dimensions.last else {
        throw ApusError(
          .malformedModel, "\(role) has the shape \(constant.shape)",
          expected: "a number for each channel of \(x.shape)")
      }
    }
    _ = try arithmetic(operands)
    return [TensorType(x.dataType, x.shape, quantization: result)]
  }

  private func arithmetic(
    _ operands: Operands
  ) throws(ApusError) -> (product: QuantizedProduct, sum: QuantizedAddParameters) {
    let x = try operands.input(0)
    let between = TensorType(x.dataType, x.shape, quantization: product)
    let last = TensorType(x.dataType, x.shape, quantization: result)
    return (
      try QuantizedProduct(x, operands.input(1), between, .none),
      try QuantizedAddParameters(between, operands.input(2), last, activation, subtracts: false)
    )
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let layout = try LastAxis(context.result.shape)
    let (product, sum) = try arithmetic(context.operands)
    let columns = try ScaledColumns(
      product, sum, isSigned: context.result.dataType == .int8,
      scales: context.operands.requireConstant(1, "the scale").integers(),
      offsets: context.operands.requireConstant(2, "the offset").integers(), kernels: context.kernels)
    return RowMap.lowering(
      "\(name) \(context.result.dataType.rawValue)", layout, nanoseconds: layout.length / 5 + 2,
      context.kernels,
      .integer, elementSize: 1
    ) { columns.run($0, into: $1, rows: $2) }
  }
}
