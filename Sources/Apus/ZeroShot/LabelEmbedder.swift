import Networks
import Synchronization
import TensorCore

/// Embeds labels, each once in the same templates, and keeps what comes of them.
final class LabelEmbedder: Sendable {
  /// By the bytes of labels: texts that Swift takes for equal may have other tokens.
  private typealias Embeddings = [[UInt8]: Embedding]
  /// The embeddings of labels in templates, of length 1; it stops when its last argument says so.
  typealias Compute =
    @Sendable ([String], PromptTemplates, () -> Bool) throws(ApusError) -> [Embedding]

  private let compute: Compute
  /// By the templates' ``PromptTemplates/key``.
  private let known = Mutex<[[[UInt8]]: Embeddings]>([:])
  /// Labels kept; more than anybody types, and a bound for a server that takes them from anybody.
  private let capacity: Int

  init(capacity: Int = 16_384, compute: @escaping Compute) {
    (self.capacity, self.compute) = (capacity, compute)
  }

  /// Labels in templates, of which the embeddings are averaged.
  convenience init(_ texts: TextPipeline, path: String) {
    self.init { (labels, templates, isCancelled) throws(ApusError) in
      let encodings = labels.map { templates.prompts($0).map { texts.encode($0) } }
      var outputs = try texts.outputs(for: Array(encodings.joined()), isCancelled: isCancelled)[...]
      var embeddings: [Embedding] = []
      for (label, encodings) in zip(labels, encodings) {
        var parts: [[Float]] = []
        for output in outputs.prefix(encodings.count) {
          parts.append(try Vectors.finiteUnit(output, of: "label '\(label)'", model: path))
        }
        outputs = outputs.dropFirst(encodings.count)
        embeddings.append(
          Embedding(
            parts.count == 1 ? parts[0] : Vectors.unit(Vectors.mean(parts)),
            wasTruncated: encodings.contains { $0.wasTruncated }))
      }
      return embeddings
    }
  }

  /// The labels with their embeddings, of length 1. Computed by the first call for a label; later ones find them.
  /// - Throws: ``ApusError`` of kind `argument` for the labels, `cancelled`.
  func embed(
    _ labels: [String], in templates: PromptTemplates, isCancelled: () -> Bool
  ) throws(ApusError) -> LabelEmbeddings {
    try LabelEmbeddings.validate(labels)
    let templatesKey = templates.key
    let keys = labels.map { Array($0.utf8) }
    var found = known.withLock { known in
      let known = known[templatesKey] ?? [:]
      return keys.reduce(into: Embeddings()) { $0[$1] = known[$1] }
    }
    let missing = zip(keys, labels).filter { found[$0.0] == nil }
    if !missing.isEmpty {
      let embeddings = try compute(missing.map(\.1), templates, isCancelled)
      for ((key, _), embedding) in zip(missing, embeddings) { found[key] = embedding }
      remember(found, in: templatesKey)
    }
    return LabelEmbeddings(sound: labels, keys.compactMap { found[$0] })
  }

  private func remember(_ embeddings: Embeddings, in templates: [[UInt8]]) {
    known.withLock { known in
      let count = known.values.reduce(embeddings.count) { $0 + $1.count }
      if count > capacity { known.removeAll() }
      known[templates, default: [:]].merge(embeddings) { old, _ in old }
    }
  }
}
