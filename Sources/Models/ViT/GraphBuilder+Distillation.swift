import Graph
import TensorCore

extension GraphBuilder {
  /// The mean of what two linear layers make of the class token and of the distillation token: [batch, outputs].
  /// - Parameter tokens: both rows of each picture, one after the other: [2 · batch, width].
  mutating func distilledLogits(
    _ tokens: Value, _ heads: (byClass: WeightPath, byDistillation: WeightPath), batch: Int, outputs: Int
  ) throws(ApusError) -> Value {
    let byClass = try linear(tokens, heads.byClass, outputs: outputs)
    let byDistillation = try linear(tokens, heads.byDistillation, outputs: outputs)
    let first = try indices((0..<batch).map { 2 * $0 }, at: "class rows")
    let second = try indices((0..<batch).map { 2 * $0 + 1 }, at: "distillation rows")
    let sum = try sum(
      gather(byClass, first, at: "class logits"),
      gather(byDistillation, second, at: "distillation logits"), at: "summed logits")
    let half = constant("half", try Tensor([Float(0.5)], shape: .vector(1)))
    return try apply(Multiply(), [sum, half], at: "logits")
  }
}
