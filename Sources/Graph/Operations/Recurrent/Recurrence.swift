import Kernels
import TensorCore

/// A recurrent layer in one direction, over rows in time.
///
/// Operands: what inputs and biases give each gate, float32 [T, B, G · H]; the weights of the state [G · H, H], of float32,
/// or of int16 with which states meet that are brought to 8 bits at every step; and any of which may be left out: the first
/// state [B, H], the first memory [B, H], peepholes i, o, f [3 · H], numbers that are added to the product of the last gate
/// before it is reset [H], the number of rows in time for each of B, int32, and for weights of int16 a scale for each row
/// [G · H]. Results: the state at each time [T, B, H], 0 after the last row; the last state [B, H]; of a cell with a memory
/// also the last of these.
///
/// States in 8 bits have one scale for all of a step, over their range with 0, and are rounded to nearest even: what ONNX
/// Runtime's `DynamicQuantizeLSTM` does.
package struct Recurrence: Operation {
  package let cell: RecurrentCell
  /// As many as the cell takes: of gates, of what is remembered, of the memory.
  package let activations: [RecurrentActivation]
  /// What sums are limited to, by their magnitude.
  package let limit: Float
  /// Whether time runs from the last row to the first.
  package let isReversed: Bool
  package var name: String { "recurrence" }

  package init(
    _ cell: RecurrentCell, activations: [RecurrentActivation], limit: Float = .infinity,
    isReversed: Bool = false
  ) {
    self.cell = cell
    self.activations = activations
    self.limit = limit
    self.isReversed = isReversed
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(8...8)
    let extents = try RecurrenceExtents(operands, cell)
    guard activations.count == cell.activationCount, limit > 0 else {
      throw ApusError(
        .malformedModel, "\(activations.count) functions, sums up to \(limit)",
        expected: "\(cell.activationCount), and a limit over 0")
    }
    let state = TensorType(.float32, try Shape([extents.batch, extents.size]))
    let rows = TensorType(.float32, try Shape([extents.steps, extents.batch, extents.size]))
    return try [rows.limited(), state] + (cell.hasMemory ? [state] : [])
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> {
    operands.constant(1)?.dataType == .float32 ? [1] : []
  }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let gates = try? operands.input(0).shape, let size = results.first?.shape.dimensions.last else {
      return 0
    }
    return [gates.elementCount, size].saturatingProduct
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let extents = try RecurrenceExtents(context.operands, cell)
    var products: [RecurrentProduct] = []
    for gates in cell.products { products.append(try RecurrentProduct(gates, extents, context)) }
    let layer = RecurrentLayer(self, extents, products)
    var lowering = Lowering(
      "recurrence, \(products.first?.name ?? "no product")",
      products: products.first?.isInteger == true ? .int16 : .float32,
      scratchByteCount: layer.scratchByteCount
    ) { layer.run($0) }
    if context.operands.constant(1) != nil {
      lowering.weightByteCount = products.reduce(0) { $0 + $1.byteCount }
    }
    return lowering
  }
}

/// The extents of a recurrent layer, all consistent.
struct RecurrenceExtents: Sendable {
  let steps: Int
  let batch: Int
  let gates: Int
  /// Elements of a state.
  let size: Int

  init(_ operands: Operands, _ cell: RecurrentCell) throws(ApusError) {
    let inputs = try operands.input(0, "the gates", of: [.float32], rank: 3).shape
    let weights = try operands.input(1, "the weights", of: [.float32, .int16], rank: 2)
    (steps, batch, gates, size) = (inputs[0], inputs[1], cell.gates, weights.shape[1])
    let columns = [gates, size].saturatingProduct
    guard size > 0, weights.shape[0] == columns, inputs[2] == columns else {
      throw ApusError(
        .malformedModel, "gates \(inputs) and weights \(weights.shape)",
        expected: "\(gates) gates for each column of the weights")
    }
    guard [batch, columns, 16].saturatingProduct <= ResultLimit.byteCount else {
      throw ApusError(.unsupportedModel, "states \([batch, size]) of \(gates) gates", expected: "fewer")
    }
    let wanted = [2: [batch, size], 3: [batch, size], 4: [3 * size], 5: [size], 6: [batch], 7: [columns]]
    for (index, shape) in wanted.sorted(by: { $0.key < $1.key }) where operands.has(index) {
      let type = try operands.input(index, nil, of: [index == 6 ? .int32 : .float32])
      guard type.shape.dimensions == shape else {
        throw ApusError(.malformedModel, "input \(index) of shape \(type.shape)", expected: "\(shape)")
      }
    }
    guard operands.has(7) == (weights.dataType == .int16) else {
      throw ApusError(.malformedModel, "weights \(weights)", expected: "scales with int16, and with it alone")
    }
  }
}
