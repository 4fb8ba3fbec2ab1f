import TensorCore

/// Conjunction or disjunction of two bool tensors that broadcast.
package struct LogicalBinary: BinaryMath {
  package enum Connective: String, Sendable { case and, or }

  package let connective: Connective
  package var name: String { connective == .and ? "logicalAnd" : "logicalOr" }
  package var types: [DataType] { [.bool] }

  package init(_ connective: Connective) { self.connective = connective }

  package func integerBody(_ plan: BroadcastPlan, _: DataType) -> Lowering.Body {
    switch connective {
    case .and: { $0.broadcast(plan) { $0.combine { (a: UInt8, b: UInt8) -> Bool in a != 0 && b != 0 } } }
    case .or: { $0.broadcast(plan) { $0.combine { (a: UInt8, b: UInt8) -> Bool in a != 0 || b != 0 } } }
    }
  }
}
