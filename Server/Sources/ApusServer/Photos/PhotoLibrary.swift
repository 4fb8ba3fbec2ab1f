import Apus
import ApusPhotos
import ApusServing
import Synchronization

/// The photographs that a server searches: an index, and the model that they were indexed with.
public final class PhotoLibrary: Sendable {
  private let index: PhotoIndex
  private let searcher: PhotoSearcher
  /// Which files beside the models that searches open were passed over, and why, each once; for one listener.
  let notes: AsyncStream<String>
  private let telling: AsyncStream<String>.Continuation
  private let told = Mutex<Set<ExactText>>([])

  /// Opens an index. Its model is opened by the first search.
  /// - Parameters:
  ///   - folder: where the index is kept.
  ///   - model: which one, where the index has vectors of several; nil for the one that was used last.
  ///   - textModel: what embeds sentences, where that model has no tower for texts; see ``PhotoSearcher``.
  ///   - threads: of a search; nil for as many as this process may use.
  /// - Throws: ``ApusError`` of kind `file` where there is no index, or nothing was indexed yet; `argument` for a model that
  ///   nothing was indexed with.
  public init(
    index folder: String, model: String? = nil, textModel: String? = nil, threads: Int? = nil
  ) throws(ApusError) {
    index = try PhotoIndex(at: folder)
    searcher = try PhotoSearcher(index, model: model, textModel: textModel, threads: threads)
    (notes, telling) = AsyncStream.makeStream(of: String.self)
  }

  /// The name of the model that they are searched with.
  var model: String { searcher.model }

  /// Why a least score of `auto` leaves nothing out; nil where it does.
  var minimumNote: String? { searcher.minimumNote }

  /// Tells what the models passed over that have been opened since.
  private func tellNotes() {
    for note in searcher.notes where told.withLock({ $0.insert(ExactText(note)).inserted }) {
      telling.yield(note)
    }
  }

  /// How many photographs there are, and the name of the model that they are searched with.
  func overview() async throws -> (photos: Int, model: String) {
    let models = try await WorkerThreads.run { [index] (_) throws(ApusError) in try index.models() }
    let photos = models.last { ExactText($0.name) == ExactText(searcher.model) }?.vectors ?? 0
    return (photos, searcher.model)
  }

  /// Limits of models, lowered to what pictures of a search may be, which are decoded within limits of their own.
  static func limits(within limits: ServingLimits) -> ServingLimits {
    var lowered = limits
    lowered.images.pixels = min(limits.images.pixels, ImageLimits.standard.pixels)
    lowered.images.fileBytes = min(limits.images.fileBytes, ImageLimits.standard.fileBytes)
    return lowered
  }

  /// The photographs most like what is looked for.
  /// - Parameter budget: what the files of the photographs that they should be like take their bytes of.
  func search(_ request: PhotoSearchRequest, within budget: BodyBudget) async throws -> [PhotoMatch] {
    let liked = try await photos(request.like)
    let byteCount = liked.reduce(0) { $0 + $1.photo.photo.byteCount }
    try budget.take(byteCount)
    defer { budget.giveBack(byteCount) }
    var pictures = request.picture.map { [Picture($0)] } ?? []
    for (photo, _) in liked { pictures.append(Picture(try await content(of: photo))) }
    var query = try PhotoQuery(request.query, sentences: request.sentences, like: pictures)
    // Pictures are the last parts of a query.
    for (place, part) in zip(query.terms.indices.suffix(liked.count), liked) {
      query.terms[place].weight = Float(part.count)
    }
    defer { tellNotes() }
    do throws(ApusError) {
      return try await searcher.search(
        query, count: request.top, filter: request.filter, minimum: request.minimum)
    } catch {
      if let model = searcher.textModel, error.file == model {
        throw ServingError(.failed, "The model for texts cannot be used.", detail: "\(error)")
      }
      throw request.filter.reason(of: error)
    }
  }

  /// Photographs by their numbers, each once, and how often it is named.
  private func photos(_ ids: [String]) async throws -> [(photo: IndexedPhoto, count: Int)] {
    var found: [(photo: IndexedPhoto, count: Int)] = []
    for id in ids {
      let photo = try await photo(id)
      if let place = found.firstIndex(where: { $0.photo.photo.id == photo.photo.id }) {
        found[place].count += 1
      } else {
        found.append((photo: photo, count: 1))
      }
    }
    return found
  }

  /// A photograph of the index.
  /// - Throws: ``ServingError`` of kind `notFound` for what is no number of one, or where its files are gone.
  func photo(_ id: String) async throws -> IndexedPhoto {
    let found = try await WorkerThreads.run { [index] (_) throws(ApusError) in
      try Int64(id).flatMap { (number) throws(ApusError) in try index.photo(number) }
    }
    guard let found else { throw ServingError(.notFound, "There is no photograph of that number.") }
    return found
  }

  /// The bytes of a photograph's file.
  /// - Throws: ``ServingError`` of kind `notFound` where they are not those that were indexed.
  func content(of photo: IndexedPhoto) async throws -> [UInt8] {
    try await Self.findingFiles { () throws(ApusError) in try await index.content(of: photo) }
  }

  /// A photograph's file, to be read in pieces.
  /// - Throws: ``ServingError`` of kind `notFound` where it is not the one that was indexed.
  func open(_ photo: IndexedPhoto) async throws -> PhotoContent {
    try await Self.findingFiles { () throws(ApusError) in try await index.open(photo) }
  }

  /// A photograph as a JPEG whose sides have at most so many pixels.
  /// - Throws: ``ServingError`` of kind `notFound` where its file is not the one that was indexed.
  func jpeg(of photo: IndexedPhoto, side: Int, maximumBytes: Int) async throws -> [UInt8] {
    try await Self.findingFiles { () throws(ApusError) in
      try await index.thumbnail(of: photo, side: side, maximumBytes: maximumBytes).bytes
    }
  }

  private static func findingFiles<Found>(
    _ work: () async throws(ApusError) -> Found
  ) async throws -> Found {
    do throws(ApusError) {
      return try await work()
    } catch {
      guard error.kind == .file else { throw error }
      throw ServingError(.notFound, "The photograph has changed or gone since it was indexed.")
    }
  }
}
