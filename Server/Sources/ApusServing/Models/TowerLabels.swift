import Apus
import Synchronization

/// Labels for a tower that embeds texts alone: each is embedded once, and scored against vectors of pictures that clients
/// computed with the other tower.
final class TowerLabels: Sendable {
  /// A vector, and what it is scored against.
  struct Scoring: Sendable {
    let embedding: [Float]
    let labels: [String]
    /// What cosines are multiplied by.
    let scale: Float
  }

  /// By the bytes of labels: texts that Swift takes for equal may have other tokens.
  typealias Embeddings = [[UInt8]: Embedding]

  private struct State {
    var embeddings: Embeddings = [:]
    /// What made them: a model that is opened again may have other weights.
    weak var model: TextEmbedder?
  }

  /// The labels where a request names none.
  let labels: [String]
  private let templates: [String]
  private let reading: ZeroShotReading
  private let state = Mutex(State())
  /// Labels kept, as the library's classifier keeps them.
  private static let capacity = 16_384

  init(_ options: ServedModelOptions) {
    (labels, templates) = (options.zeroShotLabels, options.templates)
    reading = ZeroShotReading(scoring: options.scoring, logitScale: options.logitScale)
  }

  /// What cosines are multiplied by, before softmax: only a whole model says it, and has the bias of a sigmoid.
  /// - Parameters:
  ///   - request: what the request says of it, which counts before what the server was started with.
  ///   - model: what clients call the tower.
  /// - Throws: ``ServingError`` of kind `invalid` where nobody says it, or another reading is asked for.
  func scale(_ request: ZeroShotReading, model: String) throws(ServingError) -> Float {
    let scoring = request.scoring ?? reading.scoring ?? .softmax
    guard scoring == .softmax else {
      throw ServingError(
        .invalid,
        "Model '\(model)' embeds texts alone, and only a whole model has the bias of a sigmoid: expected "
          + "softmax ('score' of /api/classify, or --score).")
    }
    guard let scale = request.logitScale ?? reading.logitScale else {
      throw ServingError(
        .invalid,
        "Model '\(model)' embeds texts alone, and only a whole model says what cosines are multiplied by: "
          + "expected a number ('logit_scale' of /api/classify, or --logit-scale).")
    }
    return scale
  }

  /// The scores of labels for a vector. The first call for a label embeds it.
  func outcome(
    of item: Scoring, by model: TextEmbedder
  ) async throws(ApusError) -> ZeroShotClassification {
    let labels = try await embeddings(of: item.labels, by: model)
    return try await WorkerThreads.run { (_) throws(ApusError) in
      try labels.classify(
        embedding: Embedding(item.embedding), scoring: .softmax, logitScale: item.scale)
    }
  }

  private func embeddings(
    of labels: [String], by model: TextEmbedder
  ) async throws(ApusError) -> LabelEmbeddings {
    let keys = labels.map { Array($0.utf8) }
    var all = known(keys, to: model)
    var seen: Set<[UInt8]> = []
    // A label that comes twice is refused below, by its place among all.
    let missing = labels.filter { label in
      let key = Array(label.utf8)
      return all[key] == nil && seen.insert(key).inserted
    }
    if !missing.isEmpty {
      let made = try await model.embed(labels: missing, templates: templates)
      let new = Embeddings(
        zip(made.labels.map { Array($0.utf8) }, made.embeddings), uniquingKeysWith: { first, _ in first })
      all.merge(new) { old, _ in old }
      remember(new, of: model)
    }
    return try LabelEmbeddings(labels, embeddings: keys.compactMap { all[$0] })
  }

  /// The embeddings of those labels that the model has embedded.
  func known(_ keys: [[UInt8]], to model: TextEmbedder) -> Embeddings {
    state.withLock { state in
      guard state.model === model else { return Embeddings() }
      return keys.reduce(into: Embeddings()) { $0[$1] = state.embeddings[$1] }
    }
  }

  private func remember(_ embeddings: Embeddings, of model: TextEmbedder) {
    state.withLock { state in
      let isFull = state.embeddings.count + embeddings.count > Self.capacity
      if isFull || state.model !== model { state.embeddings = Embeddings() }
      state.model = model
      state.embeddings.merge(embeddings) { old, _ in old }
    }
  }
}
