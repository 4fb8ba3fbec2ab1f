import Apus

/// How a tower that embeds texts alone scores labels for vectors of pictures, which clients computed with the other tower.
struct TowerScoring: Sendable {
  /// A vector, and what it is scored against.
  struct Item: Sendable {
    let embedding: [Float]
    let labels: [String]
    /// How cosines become scores, and whether padding of labels is masked; nil for as the server was started.
    let reading: ZeroShotReading
  }

  /// The labels where a request names none.
  let labels: [String]
  private let templates: [String]
  private let reading: ZeroShotReading
  /// What the settings are called where the server was told.
  private let settings: (labels: String, score: String, scale: String, bias: String)

  init(_ options: ServedModelOptions) {
    (labels, templates) = (options.zeroShotLabels, options.templates)
    var reading = options.reading
    // The embedder of labels is opened with the server's choice.
    reading.masksPadding = nil
    self.reading = reading
    settings = (
      labels: options.name(ofSetting: "zero_shot_labels"), score: options.name(ofSetting: "score"),
      scale: options.name(ofSetting: "logit_scale"), bias: options.name(ofSetting: "logit_bias")
    )
  }

  /// For a request that names no labels.
  /// - Throws: ``ServingError`` of kind `invalid` where there are none.
  func requireLabels(_ labels: [String]) throws(ServingError) {
    guard labels.isEmpty else { return }
    throw ServingError(
      .invalid,
      "There are no labels: the server was started without \(settings.labels), and the request has none ('labels' of "
        + "/api/classify and /api/zero-shot).")
  }

  /// Whether logits are those of the model itself, and nobody says another scale or bias.
  func hasOwnLogits(_ request: ZeroShotReading) -> Bool { !request.over(reading).namesNumbers }

  /// How cosines become scores: only a whole model says what they are multiplied by, and has the bias of a sigmoid, unless
  /// somebody gives them.
  /// - Parameters:
  ///   - request: what the request says of it, which counts before what the server was started with.
  ///   - model: what clients call the tower.
  /// - Throws: ``ServingError`` of kind `invalid` where nobody says it, or another reading is asked for.
  func complete(_ request: ZeroShotReading, model: String) throws(ServingError) -> ZeroShotReading {
    let complete = request.over(reading)
    guard complete.scoring != .sigmoid || complete.logitBias != nil else {
      throw ServingError(
        .invalid,
        "Model '\(model)' embeds texts alone, and only a whole model has the bias of a sigmoid: expected "
          + "softmax ('score' of /api/classify, or \(settings.score)), or a bias (\(settings.bias)).")
    }
    guard complete.namesScale else {
      throw ServingError(
        .invalid,
        "Model '\(model)' embeds texts alone, and only a whole model says what cosines are multiplied by: "
          + "expected a number ('logit_scale' of /api/classify, or \(settings.scale)).")
    }
    return complete
  }

  /// The scores of labels for a vector.
  func outcome(
    of item: Item, by model: TextEmbedder
  ) async throws(ApusError) -> ZeroShotClassification {
    var reading = item.reading
    let labels = try await model.embed(
      labels: item.labels, templates: templates, masksPadding: reading.masksPadding)
    reading.masksPadding = nil
    return try await WorkerThreads.run { [reading] (_) throws(ApusError) in
      try labels.classify(embedding: Embedding(item.embedding), reading: reading)
    }
  }
}
