import Networks
import TensorCore

/// Turns texts into vectors whose directions tell how alike they are in meaning.
///
///     let embedder = try TextEmbedder(model: "sentence-transformers/all-MiniLM-L6-v2")
///     let vectors = try embedder.embed(["a quick bird", "a swift"]).map(\.values)
///
/// An embedder may be used from any number of threads and tasks at once.
public final class TextEmbedder: Sendable {
  private let texts: TextPipeline
  private let length: EmbeddingLength
  private let normalizes: Bool
  /// The folder in use.
  public let path: String
  /// What it is computed with.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// - Parameters:
  ///   - model: a folder with a BERT-like encoder, with a CLIP or SigLIP whose text tower is used, or with that tower
  ///     alone; or the name of a repository in the local Hugging Face cache. Nothing is downloaded.
  ///   - length: what is done with the length of vectors.
  ///   - options: how the embedder is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public init(
    model: String, length: EmbeddingLength = .model, options: TextOptions = TextOptions()
  ) throws(ApusError) {
    try options.inference.validate()
    var watch = Stopwatch()
    let opened = try OpenedModel(model)
    let network: Network
    (network, normalizes) = try opened.encoder(of: .text, expected: "one that embeds texts")
    var load = LoadMilliseconds(open: watch.lap())
    texts = try TextPipeline(network, of: opened, options: opened.options(options.inference))
    load.tokenizer = watch.lap()
    computation = Computation(try texts.prepare().compiled, part: network.name)
    load.compile = watch.lap()
    loadMilliseconds = load
    self.length = length
    path = opened.path
  }

  /// Embeds a text and waits for the result.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String) throws(ApusError) -> Embedding { try embed([text])[0] }

  /// Embeds several texts together, which is faster than one by one.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String]) throws(ApusError) -> [Embedding] {
    try inference.now(texts)
  }

  var inference: Inference<[String], [Embedding]> {
    Inference { (texts, isCancelled) throws(ApusError) in try self.embed(texts, isCancelled: isCancelled) }
  }

  private func embed(_ texts: [String], isCancelled: () -> Bool) throws(ApusError) -> [Embedding] {
    let encodings = texts.map(self.texts.encode)
    let outputs = try self.texts.outputs(for: encodings.map(\.ids), isCancelled: isCancelled)
    var embeddings: [Embedding] = []
    for (index, (encoding, output)) in zip(encodings, outputs).enumerated() {
      let values = try length.apply(output, normalizes: normalizes, of: "text \(index)", model: path)
      embeddings.append(Embedding(values: values, wasTruncated: encoding.wasTruncated))
    }
    return embeddings
  }
}
