import Apus
import Networks
import TensorCore

/// Makes vectors of queries. A tower of the model is opened when it is first needed.
final class QueryTowers: Sendable {
  private let model: StoredModel
  /// What embeds sentences in the place of the model.
  private let textModel: String?
  private let threads: Int
  private let texts = QueryTower<TextEmbedder>()
  private let pictures = QueryTower<ImageEmbedder>()
  /// That sentences which say nothing could not be used.
  private let neutralNote = Lock<String?>(nil)

  var minimumNote: String? { neutralNote.withLock { $0 } }

  init(_ model: StoredModel, textModel: String? = nil, threads: Int) {
    (self.model, self.textModel, self.threads) = (model, textModel, threads)
  }

  /// Which files beside the models that were opened so far were passed over, and why, and that sentences which say nothing
  /// could not be used. It waits for none to be opened.
  var notes: [String] {
    texts.notes + pictures.notes + [minimumNote].compactMap(\.self)
  }

  /// The normalised sum of the parts of a query.
  /// - Throws: ``ApusError`` of kind `argument` when nothing is left of it.
  func vector(
    _ query: PhotoQuery, _ store: PhotoStore, _ isCancelled: () -> Bool
  ) throws(ApusError) -> [Float] {
    try query.validate()
    var sum = [Float](repeating: 0, count: model.width)
    for term in query.terms {
      let part =
        switch term.subject {
        case .sentence(let text): try vectors(of: [text], isCancelled)[0]
        case .picture(let picture): try vector(of: picture, store)
        case .vector(let embedding): try embedding.direction(width: model.width)
        }
      for index in sum.indices { sum[index] += term.weight * part[index] }
    }
    let length = sum.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    guard length > 1e-6, length.isFinite else {
      throw ApusError(.argument, "the parts of the query cancel each other out", expected: "another query")
    }
    return sum.map { Float(Double($0) / length) }
  }

  /// The vectors of sentences that say nothing; none where the model's vocabulary lacks words of one. To a model that knows
  /// few words they say something: what is left of them, or what the letters of the others happen to mean.
  func neutralVectors(_ isCancelled: () -> Bool) throws(ApusError) -> [[Float]] {
    let embedder = try texts.opened { () throws(ApusError) in try openTexts() }
    guard let unknown = ScoreTest.neutral.first(where: { !embedder.hasWords(of: $0) }) else {
      return try vectors(of: ScoreTest.neutral, isCancelled)
    }
    let note = """
      the model does not know all words of '\(unknown)', a sentence that says nothing, so that nothing tells which \
      photographs are too unlike the query: the best are shown, whatever their scores
      """
    neutralNote.withLock { $0 = note }
    return []
  }

  /// The vectors of sentences, of length 1.
  func vectors(of sentences: [String], _ isCancelled: () -> Bool) throws(ApusError) -> [[Float]] {
    let embedder = try texts.opened { () throws(ApusError) in try openTexts() }
    let embeddings = try embedder.blocking.embed(sentences)
    let width = embeddings.first?.values.count ?? 0
    guard width == model.width else {
      guard let textModel else { throw otherModel }
      throw ApusError(
        .argument, "vectors of texts with \(width) numbers",
        expected: "\(model.width), as those of the index have", file: textModel)
    }
    return embeddings.map(\.values)
  }

  /// What embeds texts by itself needs no file of the model that pictures were indexed with.
  private func openTexts() throws(ApusError) -> TextEmbedder {
    let options = TextEmbedder.Options(length: .unit, inference: InferenceOptions(threads: threads))
    if let textModel { return try TextEmbedder(textModel, options: options) }
    try checkModel()
    do throws(ApusError) {
      return try TextEmbedder(model.openingPath, options: options)
    } catch {
      let hasTexts = try? PhotoModel.hasTextTower(at: model.openingPath)
      guard error.kind == .unsupportedModel, hasTexts == false else { throw error }
      throw noTextTower
    }
  }

  /// That of the index, where it has the picture.
  private func vector(of picture: Picture, _ store: PhotoStore) throws(ApusError) -> [Float] {
    if let bytes = try picture.bytes(),
      let known = try store.read({ database in
        try StoredVector.find(ContentKey(bytes), by: self.model, in: database)
      })
    {
      return known.values
    }
    let embedder = try pictures.opened { () throws(ApusError) in
      try checkModel()
      let decoding = StoredDecoding(model.decoding)
      return try PhotoModel.embedder(
        model.openingPath,
        PhotoModel.Options(
          precision: try storedPrecision, decoding: decoding.extent,
          transparency: decoding.transparency, threads: threads))
    }
    let values = try embedder.blocking.embed(picture).values
    guard values.count == model.width else { throw otherModel }
    return values
  }

  /// - Throws: ``ApusError`` of kind `file` where a newer version, or another program, wrote one that is not known.
  private var storedPrecision: Precision {
    get throws(ApusError) {
      do throws(ApusError) {
        return try Precision(named: model.precision)
      } catch {
        throw ApusError(
          .file, "photographs were indexed in '\(model.precision)'", expected: error.expected,
          at: "precision",
          file: model.path, advice: "Index them again with this version.")
      }
    }
  }

  /// - Throws: ``ApusError`` of kind `file` when the files of the model are not those that pictures were indexed with.
  private func checkModel() throws(ApusError) {
    try ModelPath.check(model.path)
    let identity = ModelIdentity(model.path)
    guard identity.stamp != model.stamp else { return }
    let digest = try identity.digest([model.profile, model.precision, model.decoding])
    guard digest == model.digest else { throw otherModel }
  }

  private var noTextTower: ApusError {
    ApusError(
      .unsupportedModel, "photographs were indexed with a model that has no tower for texts",
      expected: "one for sentences", file: model.openingPath,
      advice: """
        Name the one that belongs to it: \(Setting.queryTextModel). Or search by a picture, which needs \
        none.
        """)
  }

  private var otherModel: ApusError {
    ApusError(
      .file, "the model is not the one that photographs were indexed with", file: model.path,
      advice: "Restore it, or index again with the current one.")
  }
}

/// A model for parts of queries, opened by the first who asks.
final class QueryTower<Model: InferenceModel>: Sendable {
  /// Held while the model is opened, which others who ask wait for.
  private let model = Lock<Model?>(nil)
  /// Beside the model, as nobody who reads them is to wait for one that is being opened.
  private let noted = Lock<[String]>([])

  /// What people should know of the model; nothing until it is open.
  var notes: [String] { noted.withLock { $0 } }

  /// The model.
  /// - Throws: what `open` throws; the next who asks tries anew.
  func opened(_ open: () throws(ApusError) -> Model) throws(ApusError) -> Model {
    try model.withLock { model throws(ApusError) in
      if let model { return model }
      let opened = try open()
      let notes = opened.notes
      noted.withLock { $0 = notes }
      model = opened
      return opened
    }
  }
}
