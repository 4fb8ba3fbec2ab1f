import Graph
import Networks
import TensorCore

extension TextClassifier {
  /// What the model gives for a text by itself.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  package func outputs(
    for text: String, isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    var watch = Stopwatch()
    let (model, inputs) = try texts.prepared(try texts.encode([text])[0])
    let preparation = watch.lap()
    let values = try model.run(inputs, isCancelled: isCancelled)[0].elements(of: Float.self)
    return ClassOutputs(
      values: values, preparation: preparation, run: watch.lap(),
      workspaceByteCount: model.workspaceByteCount)
  }

  /// The network for texts of as many tokens as this one, before any pass, and how it is compiled.
  package func graph(for text: String) throws(ApusError) -> (graph: Graph, options: ModelOptions) {
    try texts.graph(try texts.encode([text])[0])
  }

  /// The network's inputs for a text.
  package func inputs(for text: String) throws(ApusError) -> [Tensor] {
    try texts.inputs(try texts.encode([text])[0])
  }

  /// What the outputs are taken for.
  package func meaning(of outputs: [Float]) -> ScoreMeaning { meaning ?? ScoreMeaning(of: outputs) }

  /// The score of each class.
  /// - Throws: ``ApusError`` of kind `malformedModel` when an output is NaN or infinite.
  package func scores(of outputs: [Float]) throws(ApusError) -> [Float] {
    try ClassScores(outputs, meaning: meaning, model: path).values
  }
}
