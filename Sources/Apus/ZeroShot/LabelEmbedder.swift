import Networks
import TensorCore

/// Embeds labels, each once in the same templates, and keeps what comes of them.
final class LabelEmbedder: Sendable {
  /// By the bytes of labels: texts that Swift takes for equal may have other tokens.
  private typealias Embeddings = [[UInt8]: Embedding]
  /// The label embeddings.
  struct Computed {
    /// One of length 1 for each label.
    let embeddings: [Embedding]
    /// The milliseconds that making their tokens took.
    var tokenize = 0.0
  }
  /// Embeds labels in templates; it stops when its last argument says so.
  typealias Compute = @Sendable ([String], PromptTemplates, () -> Bool) throws(ApusError) -> Computed

  /// Bytes of a label that is kept, and of all templates together: more than any tokenizer reads. A server takes both from
  /// anybody, and what is kept is to have a bound.
  static let longestText = 4096

  private let compute: Compute
  /// By the templates' bytes.
  private let known = Lock<[[UInt8]: Embeddings]>([:])
  /// The number of labels kept, in all templates; all labels of one call are kept, however many.
  private let capacity: Int

  init(capacity: Int = 16_384, compute: @escaping Compute) {
    (self.capacity, self.compute) = (capacity, compute)
  }

  /// Labels in templates, of which the embeddings are averaged.
  convenience init(_ texts: TextPipeline, path: String) {
    self.init { (labels, templates, isCancelled) throws(ApusError) in
      var watch = Stopwatch()
      let encodings = labels.map { templates.prompts($0).map { texts.encode($0) } }
      let tokenize = watch.lap()
      // One that cannot be run keeps all from being run.
      for (label, encodings) in zip(labels, encodings) {
        for encoding in encodings {
          do throws(ApusError) { try texts.check(encoding) } catch { throw error.at("label '\(label)'") }
        }
      }
      var outputs = try texts.outputs(
        for: encodings.joined().map { .success($0) }, refusing: nil, isCancelled: isCancelled)[...]
      var embeddings: [Embedding] = []
      for (label, encodings) in zip(labels, encodings) {
        var parts: [[Float]] = []
        for output in outputs.prefix(encodings.count) {
          let values = try output.mapError { $0.at("label '\(label)'") }.get()
          parts.append(try Vectors.finiteUnit(values, of: "label '\(label)'", model: path))
        }
        outputs = outputs.dropFirst(encodings.count)
        embeddings.append(
          Embedding(
            parts.count == 1 ? parts[0] : Vectors.unit(Vectors.mean(parts)),
            wasTruncated: encodings.contains { $0.wasTruncated }))
      }
      return Computed(embeddings: embeddings, tokenize: tokenize)
    }
  }

  /// The labels with their embeddings, of length 1. Computed by the first call for a label; later ones find them.
  /// - Throws: ``ApusError`` of kind `argument` for the labels, `cancelled`.
  func embed(
    _ labels: [String], in templates: PromptTemplates, isCancelled: () -> Bool
  ) throws(ApusError) -> LabelEmbeddings {
    try timedEmbed(labels, in: templates, isCancelled: isCancelled).labels
  }

  /// Embeddings of labels, and the milliseconds for tokenizing the labels that were not kept.
  func timedEmbed(
    _ labels: [String], in templates: PromptTemplates, isCancelled: () -> Bool
  ) throws(ApusError) -> (labels: LabelEmbeddings, tokenize: Double) {
    try LabelEmbeddings.validate(labels)
    let templatesKey = Self.key(of: templates)
    let keys = labels.map { Array($0.utf8) }
    var found = known.withLock { known in
      let known = known[templatesKey] ?? [:]
      return keys.reduce(into: Embeddings()) { $0[$1] = known[$1] }
    }
    let missing = zip(keys, labels).filter { found[$0.0] == nil }
    var tokenize = 0.0
    if !missing.isEmpty {
      let computed = try compute(missing.map(\.1), templates, isCancelled)
      tokenize = computed.tokenize
      var new: Embeddings = [:]
      for ((key, _), embedding) in zip(missing, computed.embeddings) { new[key] = embedding }
      remember(new, beside: found, in: templatesKey)
      found.merge(new) { old, _ in old }
    }
    return (LabelEmbeddings(sound: labels, keys.compactMap { found[$0] }), tokenize)
  }

  /// The bytes of templates, between which stands one that UTF-8 has nowhere.
  private static func key(of templates: PromptTemplates) -> [UInt8] {
    Array(templates.key.joined(separator: [0xFF]))
  }

  /// - Parameters:
  ///   - new: what was computed.
  ///   - found: what was known of the same call, and stays when all else goes.
  private func remember(_ new: Embeddings, beside found: Embeddings, in templates: [UInt8]) {
    let kept = new.filter { $0.key.count <= Self.longestText }
    guard !kept.isEmpty, templates.count <= Self.longestText else { return }
    known.withLock { known in
      let count = known.values.reduce(kept.count) { $0 + $1.count }
      if count > capacity { known = [templates: found] }
      known[templates, default: [:]].merge(kept) { old, _ in old }
    }
  }
}
