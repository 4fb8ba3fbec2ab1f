import TensorCore

/// Conjunction or disjunction of two bool tensors that broadcast.
package struct LogicalBinary: Operation {
  package enum Connective: String, Sendable { case and, or }

  package let connective: Connective
  package var name: String { connective == .and ? "logicalAnd" : "logicalOr" }

  package init(_ connective: Connective) { self.connective = connective }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    [try operands.output(try operands.binaryShape([.bool]), of: .bool)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let plan = try BroadcastPlan(try context.operands.input(0).shape, try context.operands.input(1).shape)
    switch connective {
    case .and:
      return Lowering(name) {
        $0.broadcast(plan) { $0.combine { (a: UInt8, b: UInt8) -> Bool in a != 0 && b != 0 } }
      }
    case .or:
      return Lowering(name) {
        $0.broadcast(plan) { $0.combine { (a: UInt8, b: UInt8) -> Bool in a != 0 || b != 0 } }
      }
    }
  }
}
