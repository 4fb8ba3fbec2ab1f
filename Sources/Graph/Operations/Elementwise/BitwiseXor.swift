import TensorCore

/// The exclusive or of the bits of two integer tensors that broadcast.
package struct BitwiseXor: Operation {
  package var name: String { "bitwiseXor" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try bitwiseOutputTypes(operands)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let plan = try BroadcastPlan(type.shape, try context.operands.input(1).shape)
    // The sign plays no part, so that one body serves each width.
    let body: Lowering.Body =
      switch type.dataType.byteCount {
      case 1: { $0.broadcast(plan) { $0.combine { (a: UInt8, b: UInt8) -> UInt8 in a ^ b } } }
      case 2: { $0.broadcast(plan) { $0.combine { (a: UInt16, b: UInt16) -> UInt16 in a ^ b } } }
      default: { $0.broadcast(plan) { $0.combine { (a: UInt32, b: UInt32) -> UInt32 in a ^ b } } }
      }
    return Lowering("\(name) \(type.dataType.rawValue)", body: body)
  }
}

/// The type of the result of a bitwise operation on two integer tensors that broadcast.
func bitwiseOutputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
  let shape = try operands.binaryShape([.int8, .uint8, .int16, .uint16, .int32, .uint32])
  return [try operands.output(shape, of: try operands.input(0).dataType)]
}
