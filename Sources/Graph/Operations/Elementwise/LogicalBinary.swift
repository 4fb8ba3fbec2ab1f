import TensorCore

/// Conjunction or disjunction of two bool tensors that broadcast.
package struct LogicalBinary: BinaryMath {
  package enum Connective: String, Sendable { case and, or }

  package let connective: Connective
  package var name: String { connective == .and ? "logicalAnd" : "logicalOr" }
  package var types: [DataType] { [.bool] }

  package init(_ connective: Connective) { self.connective = connective }

  package func integerBody<Element: FixedWidthInteger & TensorElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    switch connective {
    case .and: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a != 0 && b != 0 } } }
    case .or: { $0.broadcast(plan) { $0.combine { (a: Element, b: Element) -> Bool in a != 0 || b != 0 } } }
    }
  }
}
