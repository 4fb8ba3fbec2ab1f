import Formats
import Graph
import TensorCore

/// The words by which a decoder answers whether a text is what was asked for: the result is the logit of one as the next
/// token, less that of another. What sentence-transformers calls `LogitScore`.
struct AnswerWords: Sendable {
  /// The id of the word that says so.
  let yes: Int
  /// The id of the word that denies it; nil where the logit of the other alone is the result.
  let no: Int?

  /// - Parameters:
  ///   - x: the features of the last token of each text, float32 [texts, width].
  ///   - weights: the place of the matrix to the logits of all tokens, [vocabulary, width].
  /// - Returns: float32 [texts, 1].
  func callAsFunction(
    _ x: Value, _ weights: WeightPath, vocabulary: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let width = graph.width(x)
    let matrix = try weights.weight("weight", [vocabulary, width])
    func row(_ id: Int) throws(ApusError) -> [Float] {
      guard id < vocabulary else {
        throw ApusError(
          .configuration, "the id \(id) of an answer", expected: "0 ..< \(vocabulary), as the model has")
      }
      return try matrix.rows(id..<id + 1).tensor.realNumbers()
    }
    var numbers = try row(yes)
    if let no { numbers = zip(numbers, try row(no)).map { $0 - $1 } }
    let difference = graph.constant(
      weights.key("the answers' words"), try Tensor(numbers, shape: Shape([1, width])))
    return try graph.apply(Linear(hasBias: false), [x, difference], at: weights.key("answer"))
  }

  /// The settings of the module.
  init(_ options: ConfigurationReader) throws(ApusError) {
    let ids = 0...Int(Int32.max)
    yes = try options.integer("true_token_id", in: ids)
    no = try options.optionalInteger("false_token_id", in: ids)
    try options.require("module_input_name", isOneOf: .string("causal_logits"))
  }

  init(yes: Int, no: Int?) { (self.yes, self.no) = (yes, no) }
}
