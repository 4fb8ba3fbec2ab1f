import Apus

extension ServedModel {
  /// The scores of pictures' classes, the highest first.
  /// - Parameter topK: the classes wanted, at least 1; nil for all.
  /// - Returns: one result for each picture: one that is malformed fails alone.
  /// - Throws: ``ServingError`` for the request as a whole.
  public func classify(
    pictures: [Picture], topK: Int?
  ) async throws(ServingError) -> [Result<Classification, ServingError>] {
    try require(.imageClassification)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<Classification> in
      try require(topK: topK)
      let found = try await outcomes(ofPictures: pictures, in: queues.imageClassification) { $0 }
      return found.map { $0.best(topK) }
    }
  }

  /// The vectors of pictures.
  /// - Parameter length: what is done with the length of vectors.
  /// - Returns: one result for each picture: one that is malformed fails alone.
  /// - Throws: ``ServingError`` for the request as a whole.
  public func embed(
    pictures: [Picture], length: EmbeddingLength = .model
  ) async throws(ServingError) -> [Result<Embedding, ServingError>] {
    try require(.imageEmbedding)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<Embedding> in
      try await pictureOutcomes(pictures, length: length, dimensions: nil)
    }
  }

  /// The same, for a part of a request.
  /// - Throws: ``ServingError``: also `invalid` for more dimensions than the vectors have.
  func pictureOutcomes(
    _ pictures: [Picture], length: EmbeddingLength, dimensions: Int?
  ) async throws(ServingError) -> RequestOutcomes<Embedding> {
    let open = try await access.model(for: forms.imageEmbedder)
    try Self.require(dimensions, of: open.model.width)
    let found = try await outcomes(ofPictures: pictures, for: open, in: queues.imageEmbedding) { $0 }
    return length.isUnit(open.model.normalizes) ? found.map(\.unit) : found
  }

  /// The scores of labels for pictures, the highest first.
  /// - Parameters:
  ///   - labels: each once; nil for those that the server was started with.
  ///   - templates: sentences with `{}` where a label goes; nil for those that the server was started with.
  ///   - topK: the labels wanted, at least 1; nil for all.
  ///   - reading: how cosines become scores, where that is not the model's way.
  /// - Returns: one result for each picture: one that is malformed fails alone.
  /// - Throws: ``ServingError`` for the request as a whole.
  public func zeroShot(
    _ pictures: [Picture], labels: [String]?, templates: [String]? = nil, topK: Int?,
    reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ServingError) -> [Result<ZeroShotClassification, ServingError>] {
    try require(.zeroShot)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<ZeroShotClassification> in
      try require(topK: topK)
      try require(count: labels?.count ?? 0)
      let open = labels == nil ? try await access.model(for: forms.zeroShotClassifier) : nil
      if let open { try tower.requireLabels(open.model.labels) }
      let found = try await outcomes(ofPictures: pictures, for: open, in: queues.zeroShot) {
        PictureScoring(
          subject: .picture($0), labels: labels, templates: templates, reading: reading)
      }
      return found.map { $0.best(topK) }
    }
  }

  /// The labels that pictures are scored against where a request names none; nil for a model that scores no pictures, or
  /// where there are none.
  public var startingLabels: [String]? {
    tasks.contains(.zeroShot) && !tower.labels.isEmpty ? tower.labels : nil
  }

  /// How logits are read by what the model was trained for; nil where they are others than its own, as somebody set another
  /// scale or bias. It is opened for that.
  /// - Parameter reading: what the request says of it.
  /// - Throws: ``ServingError`` when it cannot be opened.
  public func trainedScoring(of reading: ZeroShotReading) async throws(ServingError) -> ZeroShotScoring? {
    guard tower.hasOwnLogits(reading) else { return nil }
    return try await opened(forms.zeroShotClassifier).trainedScoring
  }

  /// The scores of labels for the vector of a picture, which the client computed with the same model. A tower that embeds
  /// texts alone is enough for them, where somebody says what cosines are multiplied by.
  /// - Throws: ``ServingError``: `invalid` for a vector of another width, where there are no labels, and where nobody says it.
  public func zeroShot(
    embedding: [Float], labels: [String]?, topK: Int?, reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ServingError) -> ZeroShotClassification {
    let isTower = tasks.contains(.textEmbedding) && !tasks.contains(.zeroShot)
    try require(isTower ? .textEmbedding : .zeroShot)
    let found = try await recorded {
      () async throws(ServingError) -> RequestOutcomes<ZeroShotClassification> in
      try require(topK: topK)
      try require(count: labels?.count ?? 0)
      if isTower { return try await towerOutcomes(embedding, labels, reading) }
      return try await wholeOutcomes(embedding, labels, reading)
    }
    return try found[0].get().best(topK)
  }

  private func wholeOutcomes(
    _ embedding: [Float], _ labels: [String]?, _ reading: ZeroShotReading
  ) async throws(ServingError) -> RequestOutcomes<ZeroShotClassification> {
    let open = try await access.model(for: forms.zeroShotClassifier)
    try require(embedding, width: open.model.width)
    if labels == nil { try tower.requireLabels(open.model.labels) }
    let item = PictureScoring(subject: .embedding(embedding), labels: labels, reading: reading)
    return try await outcomes(of: [(input: item, cost: 1)], for: open, in: queues.zeroShot)
  }

  private func towerOutcomes(
    _ embedding: [Float], _ labels: [String]?, _ reading: ZeroShotReading
  ) async throws(ServingError) -> RequestOutcomes<ZeroShotClassification> {
    let reading = try tower.complete(reading, model: name)
    let open = try await access.model(for: forms.textEmbedder)
    try require(embedding, width: open.model.width)
    if labels == nil { try tower.requireLabels(tower.labels) }
    let item = TowerScoring.Item(
      embedding: embedding, labels: labels ?? tower.labels, reading: reading)
    return try await outcomes(of: [(input: item, cost: 1)], for: open, in: queues.labelScoring)
  }

  private func require(_ embedding: [Float], width: Int) throws(ServingError) {
    guard embedding.count == width else {
      throw ServingError(
        .invalid,
        "The embedding has \(embedding.count) numbers, expected \(width), as those of '\(name)' have.")
    }
  }

  /// Pictures cost what their headers say that they have of pixels. One whose header cannot be read fails before it waits.
  private func outcomes<Model, Item, Output>(
    ofPictures pictures: [Picture], for open: OpenModel<Model>? = nil,
    in queue: ModelQueues.Queue<Model, Item, Output>, _ item: (Picture) -> Item
  ) async throws(ServingError) -> RequestOutcomes<Output> {
    try require(count: pictures.count)
    var results: [Result<Output, ServingError>?] = []
    var items: [(input: Item, cost: Int)] = []
    for picture in pictures {
      do throws(ServingError) {
        items.append((item(picture), try limits.cost(of: picture)))
        results.append(nil)
      } catch {
        results.append(.failure(error))
      }
    }
    let found = try await outcomes(of: items, for: open, in: queue)
    var rest = found.items[...]
    return RequestOutcomes(items: results.compactMap { $0 ?? rest.popFirst() }, time: found.time)
  }
}
