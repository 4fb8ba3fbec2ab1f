import Apus
import GRDB
import Networks
import TensorCore

/// An index opened with one of its models, for any number of searches, from any number of tasks at once.
public final class PhotoSearcher: Sendable {
  /// The model, as it was named when pictures were indexed.
  public var model: String { stored.name }

  /// Where the index is kept.
  public var folder: String { store.folder }

  /// What embeds sentences in the place of the model, as it was named; nil where the model's own tower does.
  public let textModel: String?

  /// Which files beside the models that searches have opened so far were passed over though they have names that are read,
  /// and why: a `meta.json` of another input size, say. A search opens a model where its query needs one. And that
  /// ``MinimumScore/automatic`` could not tell what is like a query.
  public var notes: [String] { towers.notes }

  /// Why ``MinimumScore/automatic`` leaves nothing out of what this searcher finds; nil where it does, or was not asked for yet.
  public var minimumNote: String? { towers.minimumNote }

  let store: PhotoStore
  let stored: StoredModel
  let threads: Int
  private let towers: QueryTowers
  /// The vectors as the last search found them: mapping them anew costs as much as looking through them.
  private let opened = Lock<VectorFile?>(nil)

  /// Opens the vectors of a model. Its tower for sentences is opened by the first search for one.
  /// - Parameters:
  ///   - index: what is searched.
  ///   - model: which one, where an index has vectors of several: its name, folder, or a part of its name; nil for the
  ///     one that pictures were last indexed with.
  ///   - textModel: what embeds sentences, where the model has no tower for texts: the folder or file of one that embeds texts,
  ///     such as the other half of a CLIP, or its name in the local Hugging Face cache. Its vectors must be as wide as those
  ///     of the index; that both are of one space is not checked, and without that what is found is arbitrary. Nil for
  ///     the model itself.
  ///   - threads: of a search; nil for as many as this process may use.
  /// - Throws: ``ApusError``: kind `file` when nothing was indexed yet, kind `argument` for a model that nothing was indexed
  ///   with.
  public init(
    _ index: PhotoIndex, model: String? = nil, textModel: String? = nil, threads: Int? = nil
  ) throws(ApusError) {
    store = index.store
    stored = try StoredModel.named(model, in: index.store)
    self.threads = ModelOptions.effectiveThreads(threads)
    self.textModel = textModel
    towers = QueryTowers(stored, textModel: textModel, threads: self.threads)
  }

  /// Opens a model without blocking a thread of the caller's executor; see ``init(_:model:textModel:threads:)``.
  /// - Throws: ``ApusError``: what that throws, and `cancelled`.
  public static func load(
    _ index: PhotoIndex, model: String? = nil, textModel: String? = nil, threads: Int? = nil
  ) async throws(ApusError) -> PhotoSearcher {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      guard !isCancelled() else { throw ApusError(.cancelled, "the loading was cancelled") }
      return try PhotoSearcher(index, model: model, textModel: textModel, threads: threads)
    }
  }

  /// The photographs that are most like a query, the most alike first.
  /// - Parameters:
  ///   - query: what is looked for.
  ///   - count: at most so many.
  ///   - filter: which photographs are looked at.
  ///   - minimum: what a photograph must reach.
  /// - Throws: ``ApusError``: kind `argument` for a query that says nothing, a vector that is not as wide as those of the
  ///   index or has no direction, or a filter that cannot be; `unsupportedModel` for a sentence where nothing embeds
  ///   texts; `file` or `image` for a picture of the query; `cancelled`.
  public func search(
    _ query: PhotoQuery, count: Int = 20, filter: PhotoFilter = PhotoFilter(),
    minimum: MinimumScore = .none
  ) async throws(ApusError) -> [PhotoMatch] {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      try self.matches(query, count, filter, minimum, isCancelled)
    }
  }

  private func matches(
    _ query: PhotoQuery, _ count: Int, _ filter: PhotoFilter, _ minimum: MinimumScore,
    _ isCancelled: () -> Bool
  ) throws(ApusError) -> [PhotoMatch] {
    guard count > 0 else { return [] }
    let vector = try towers.vector(query, store, isCancelled)
    let test = try ScoreTest(minimum, query, towers, isCancelled)
    return try matches(vector, count, filter, test, isCancelled)
  }

  /// The photographs nearest to a vector.
  /// - Throws: ``ApusError`` of kind `argument` for a vector of another width or without direction, of kind `file` when
  ///   the index cannot be read.
  package func matches(_ vector: [Float], count: Int) throws(ApusError) -> [PhotoMatch] {
    try matches(vector, count, PhotoFilter(), ScoreTest(), { false })
  }

  private func matches(
    _ vector: [Float], _ count: Int, _ filter: PhotoFilter, _ test: ScoreTest, _ isCancelled: () -> Bool
  ) throws(ApusError) -> [PhotoMatch] {
    let vectors = try StoredVectors(store, stored).open(opened.withLock { $0 })
    // One that turns out to be damaged is not kept.
    opened.withLock { $0 = nil }
    let rows = try rows(filter, vectors)
    let all = try ExactSearch(vectors, to: vector, among: rows, results: count, threads: threads)
    opened.withLock { $0 = vectors }
    return try store.read { [stored] database in
      var (nearest, found) = (all, FoundPhotographs(test, stored, count: count))
      while !found.isComplete,
        let match = try nearest.next(vector: { try StoredVector.find($0, by: stored, in: database)?.values })
      {
        guard !isCancelled() else { throw ApusError(.cancelled, "the search was cancelled") }
        try found.look(at: match, in: database)
      }
      return found.matches
    }
  }

  /// Whether a filter leaves no photograph, whatever is looked for.
  /// - Throws: ``ApusError`` of kind `argument` for a filter that cannot be, of kind `file` when the index cannot be read.
  package func leavesNone(_ filter: PhotoFilter) throws(ApusError) -> Bool {
    guard !filter.isEmpty else { return false }
    return try contents(filter).isEmpty
  }

  private func rows(_ filter: PhotoFilter, _ vectors: VectorFile) throws(ApusError) -> VectorFile.Rows {
    guard !filter.isEmpty else { return .all }
    return .some(vectors.rows(of: try contents(filter)))
  }

  private func contents(_ filter: PhotoFilter) throws(ApusError) -> [Int64] {
    let statement = try FilterStatement(filter, roots: try store.read { try StoredRoot.all(in: $0) })
    return try store.read { try statement.contents(with: self.stored.id, in: $0) }
  }
}
