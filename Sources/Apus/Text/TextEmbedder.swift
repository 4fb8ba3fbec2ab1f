import Graph
import Models
import TensorCore
import Text

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
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// - Parameters:
  ///   - model: a folder with a BERT-like encoder, or with a CLIP or SigLIP whose text tower is used; or the
  ///     name of a repository in the local Hugging Face cache. Nothing is downloaded.
  ///   - length: what is done with the length of vectors.
  ///   - options: how the embedder is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public init(
    model: String, length: EmbeddingLength = .model, options: TextOptions = TextOptions()
  ) throws(ApusError) {
    try options.inference.validate()
    var loading = FolderLoading(model)
    let folder = try loading.open()
    let tower: any TextTower
    var preparation = TextPreparation()
    switch folder.architecture {
    case .textEncoder(let encoder):
      tower = encoder.tower
      normalizes = encoder.normalizes
      preparation = TextPreparation(prompt: encoder.prompt ?? "", lowercases: encoder.lowercases)
    case .dualEncoder(let encoder):
      tower = encoder.text
      normalizes = true
    default: throw folder.refusal("one that embeds texts")
    }
    let tokenizer = try loading.tokenizer(folder)
    self.length = length
    path = folder.path
    let texts = try TextPipeline(
      tower, tokenizer: tokenizer, preparation: preparation, path: folder.path,
      options: folder.options(options.inference))
    self.texts = texts
    try loading.compile { () throws(ApusError) in try texts.prepare() }
    loadMilliseconds = loading.milliseconds
  }

  /// Embeds a text and waits for the result.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String) throws(ApusError) -> Embedding { try embed([text])[0] }

  /// Embeds several texts together, which is faster than one by one.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String]) throws(ApusError) -> [Embedding] {
    try embed(texts) { Task.isCancelled }
  }

  func embed(_ texts: [String], isCancelled: () -> Bool) throws(ApusError) -> [Embedding] {
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
