import Graph
import Networks
import TensorCore
import Text

extension TextClassifier {
  /// The model's outputs for a single text.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  package func outputs(
    for text: String, isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    var watch = Stopwatch()
    let encoding = try texts.encode(words: text)
    let preparation = watch.lap()
    return try outputs(for: encoding, preparation: preparation, isCancelled: isCancelled)
  }

  /// The model's outputs for tokens.
  /// - Parameter preparation: the milliseconds that making them took.
  package func outputs(
    for encoding: Encoding, preparation: Double = 0, isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    var watch = Stopwatch()
    let (model, inputs) = try texts.prepared(encoding)
    let preparation = preparation + watch.lap()
    let values = try model.run(inputs, isCancelled: isCancelled)[0].elements(of: Float.self)
    return ClassOutputs(
      values: values, preparation: preparation, run: watch.lap(),
      workspaceByteCount: model.workspaceByteCount)
  }

  /// The network for as many tokens, before any pass, and how it is compiled.
  package func graph(for encoding: Encoding) throws(ApusError) -> (graph: Graph, options: ModelOptions) {
    try texts.graph(encoding)
  }

  /// The network's inputs for a text.
  package func inputs(for text: String) throws(ApusError) -> [Tensor] {
    try texts.inputs(try texts.encode(words: text))
  }

  /// The score of each class.
  /// - Throws: ``ApusError`` of kind `malformedModel` when an output is NaN or infinite.
  package func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] {
    try ClassScores(
      outputs.values, meaning: meaning, temperature: temperature, calibration: calibration, model: path
    ).values
  }
}
