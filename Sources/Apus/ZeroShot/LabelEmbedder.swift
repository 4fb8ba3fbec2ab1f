import Networks
import Synchronization
import TensorCore

/// Embeds labels, each once, and keeps what comes of them.
final class LabelEmbedder: Sendable {
  /// By the bytes of labels: texts that Swift takes for equal may have other tokens.
  private typealias Embeddings = [[UInt8]: Embedding]

  private let compute: @Sendable ([String], () -> Bool) throws(ApusError) -> [Embedding]
  private let known = Mutex<Embeddings>([:])
  /// Labels kept; more than anybody types, and a bound for a server that takes them from anybody.
  private static let capacity = 16_384

  /// - Parameter compute: the embeddings of labels, of length 1; it stops when its second argument says so.
  init(compute: @escaping @Sendable ([String], () -> Bool) throws(ApusError) -> [Embedding]) {
    self.compute = compute
  }

  /// Labels in templates, of which the embeddings are averaged.
  convenience init(_ texts: TextPipeline, _ templates: PromptTemplates, path: String) {
    self.init { (labels, isCancelled) throws(ApusError) in
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
  func embed(_ labels: [String], isCancelled: () -> Bool) throws(ApusError) -> LabelEmbeddings {
    try LabelEmbeddings.validate(labels)
    let keys = labels.map { Array($0.utf8) }
    var found = known.withLock { known in
      keys.reduce(into: Embeddings()) { $0[$1] = known[$1] }
    }
    let missing = zip(keys, labels).filter { found[$0.0] == nil }
    if !missing.isEmpty {
      let embeddings = try compute(missing.map(\.1), isCancelled)
      for ((key, _), embedding) in zip(missing, embeddings) { found[key] = embedding }
      remember(found)
    }
    return LabelEmbeddings(sound: labels, keys.compactMap { found[$0] })
  }

  private func remember(_ embeddings: Embeddings) {
    known.withLock { known in
      if known.count + embeddings.count > Self.capacity { known.removeAll() }
      known.merge(embeddings) { old, _ in old }
    }
  }
}
