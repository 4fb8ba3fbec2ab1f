import TensorCore

/// A float layer can do what follows it as it stores: it is a ``Linear`` then.
extension FullyConnected: ResidualAddingOperation {
  /// The same products of the same operands as a linear layer, whose result keeps the input's dimensions; nil where
  /// numbers are not float32, weights are not known, or rows are not the input's last axis.
  func linear(_ operands: Operands) -> Linear? {
    guard activation == .none || activation == .relu, let input = operands.inputs[0],
      let weights = operands.constant(1),
      input.dataType == .float32, operands.declared.first?.dataType == .float32,
      [.float32, .float16].contains(weights.dataType), weights.shape.rank == 2,
      input.shape.dimensions.last == weights.shape[1], !operands.has(2) || operands.constant(2) != nil
    else { return nil }
    return Linear(hasBias: true, activation: activation)
  }

  func canAddResidual(_ operands: Operands, then activation: Activation) -> Bool {
    let keepsShape = keepsDimensions || operands.inputs[0]?.shape.rank == 2
    return keepsShape && linear(operands)?.canAddResidual(operands, then: activation) == true
  }

  func addingResidual(then activation: Activation) -> any Operation {
    Linear(hasBias: true).addingResidual(then: activation)
  }

  var residualIndex: Int { 3 }
}
