import TensorCore

/// Labels with their embeddings, which a program may keep: scoring a picture against them needs no text tower, and
/// scoring the embedding of one no model (``classify(embedding:reading:threshold:topK:)``).
public struct LabelEmbeddings: Sendable, Hashable, Codable {
  /// The labels as the caller wrote them.
  public let labels: [String]
  /// One of length 1 for each label.
  public let embeddings: [Embedding]

  /// Labels whose embeddings were computed before, or elsewhere.
  /// - Parameters:
  ///   - labels: each once.
  ///   - embeddings: one for each label, all of one width; they are brought to length 1.
  /// - Throws: ``ApusError`` of kind `argument` when they do not fit the labels or each other, or hold NaN or infinity.
  public init(_ labels: [String], embeddings: [Embedding]) throws(ApusError) {
    try Self.validate(labels)
    guard embeddings.count == labels.count, let width = embeddings.first?.values.count else {
      throw ApusError(
        .argument, "\(embeddings.count) embeddings", expected: "\(labels.count), one for each label")
    }
    for (label, embedding) in zip(labels, embeddings) {
      guard embedding.values.count == width, embedding.values.allSatisfy(\.isFinite) else {
        throw ApusError(
          .argument, "the embedding of label '\(label)' has \(embedding.values.count) numbers",
          expected: "\(width) finite ones")
      }
    }
    self.labels = labels
    self.embeddings = embeddings.map {
      Embedding(Vectors.unit($0.values), wasTruncated: $0.wasTruncated, damage: $0.damage)
    }
  }

  /// Reads what was stored, and checks it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      container.decode([String].self, forKey: .labels),
      embeddings: container.decode([Embedding].self, forKey: .embeddings))
  }

  /// For embeddings that fit and have length 1.
  init(sound labels: [String], _ embeddings: [Embedding]) {
    self.labels = labels
    self.embeddings = embeddings
  }

  /// The numbers of each embedding.
  var width: Int { embeddings.first?.values.count ?? 0 }

  /// - Throws: ``ApusError`` of kind `argument` when there is no label, an empty one, or one that comes again, which
  ///   would halve its own share.
  static func validate(_ labels: [String]) throws(ApusError) {
    guard !labels.isEmpty else { throw ApusError(.argument, "no labels", expected: "at least one") }
    var places: [[UInt8]: Int] = [:]
    for (index, label) in labels.enumerated() {
      guard !label.allSatisfy(\.isWhitespace) else {
        throw ApusError(.argument, "label \(index) is empty", expected: "text")
      }
      if let first = places.updateValue(index, forKey: Array(label.utf8)) {
        throw ApusError(
          .argument, "label \(index) is '\(label)' again, as label \(first) is", expected: "each label once")
      }
    }
  }
}
