import TensorCore

/// The negation of a bool tensor.
package struct LogicalNot: Operation {
  package var name: String { "logicalNot" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    [try operands.unaryResult(of: [.bool])]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    Lowering(name) { $0.map { $0.apply { (value: UInt8) -> Bool in value == 0 } } }
  }
}
