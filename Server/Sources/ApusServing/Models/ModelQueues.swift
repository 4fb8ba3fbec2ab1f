import Apus
import ApusService

/// The queues of a model: one for each kind of work.
struct ModelQueues: Sendable {
  /// A picture, and what it is scored against.
  struct PictureScoring: Sendable {
    /// A picture, or its vector, computed elsewhere.
    enum Subject: Sendable {
      case picture(Picture)
      case embedding([Float])
    }

    let subject: Subject
    var picture: Picture? { if case .picture(let picture) = subject { picture } else { nil } }
    let labels: [String]?
    /// Sentences with `{}` where a label goes; nil for those that the server was started with.
    var templates: [String]?
    let reading: ZeroShotReading
  }

  /// The tokens of a text, and how long making them took.
  struct TokenizedText: Sendable {
    let encoding: Encoding
    let time: Duration
    /// Whether its padding is masked; nil for as the server was started.
    var masksPadding: Bool?
  }

  let textEmbedding: WorkQueue<TokenizedText, Embedding>
  let textClassification: WorkQueue<TokenizedText, TextClassification>
  let imageEmbedding: WorkQueue<Picture, Embedding>
  let imageClassification: WorkQueue<Picture, Classification>
  let zeroShot: WorkQueue<PictureScoring, ZeroShotClassification>
  let labelScoring: WorkQueue<TowerScoring.Item, ZeroShotClassification>
  let tensors: WorkQueue<TensorRun, NamedTensors>
  let encoding: WorkQueue<TokenWork<Encoding>, Encoding>
  let decoding: WorkQueue<TokenWork<String>, String>

  /// Making tokens of a text, or a text of tokens, which runs no network.
  typealias TokenWork<Made> = @Sendable () -> Made

  /// A run on bare tensors.
  struct TensorRun: Sendable {
    let inputs: [String: Tensor]
    let network: String?
  }

  /// - Parameters:
  ///   - access: where the forms are opened.
  ///   - tower: how a tower for texts scores labels.
  ///   - account: where it is taken down what they do.
  init(
    _ forms: ModelForms, _ access: FormAccess, _ tower: TowerScoring, _ account: ExecutionAccount,
    _ limits: ServingLimits
  ) {
    let width = WorkerThreads.count
    let texts = (waiting: limits.waitingTokens, batch: limits.batchTokens, width: width)
    // Runs take one picture each.
    let pictures = (waiting: limits.waitingPixels, batch: 0, width: width)
    let tensorBytes = (waiting: limits.waitingTensorBytes, batch: 0, width: width)
    let tokens = (waiting: limits.waitingTokens, batch: 0, width: width)
    encoding = Self.tokenQueue(tokens)
    decoding = Self.tokenQueue(tokens)
    // Each opens its model first, which is no part of the run.
    textEmbedding = Self.queue(texts, account) { items in
      let model = try await access.model(for: forms.textEmbedder)
      let load = access.lastLoad(of: forms.textEmbedder)
      return try await account.executing(items, by: load, times: model.takeRunTimes) {
        try await Self.embed($0, by: model)
      }
    }
    textClassification = Self.queue(texts, account) { items in
      let model = try await access.model(for: forms.textClassifier)
      let load = access.lastLoad(of: forms.textClassifier)
      return try await account.executing(items, by: load, times: model.takeRunTimes) {
        try await model.classify(encodings: $0.map(\.encoding))
      }
    }
    imageEmbedding = Self.queue(pictures, account) { items in
      let model = try await access.model(for: forms.imageEmbedder)
      let load = access.lastLoad(of: forms.imageEmbedder)
      return try await limits.decoding(items) {
        try await account.executing(by: load, times: model.takeRunTimes) { try await model.embed(items) }
      }
    }
    imageClassification = Self.queue(pictures, account) { items in
      let model = try await access.model(for: forms.imageClassifier)
      let load = access.lastLoad(of: forms.imageClassifier)
      return try await limits.decoding(items) {
        try await account.executing(by: load, times: model.takeRunTimes) {
          try await model.classify(items, topK: nil)
        }
      }
    }
    zeroShot = Self.queue(pictures, account) { items in
      let model = try await access.model(for: forms.zeroShotClassifier)
      let load = access.lastLoad(of: forms.zeroShotClassifier)
      return try await limits.decoding(items.compactMap(\.picture)) {
        try await account.executing(by: load, times: model.takeRunTimes) {
          try await Self.each(items) { try await $0.outcome(of: model) }
        }
      }
    }
    labelScoring = Self.queue(pictures, account) { items in
      let model = try await access.model(for: forms.textEmbedder)
      let load = access.lastLoad(of: forms.textEmbedder)
      return try await account.executing(by: load, times: model.takeRunTimes) {
        try await Self.each(items) { try await tower.outcome(of: $0, by: model) }
      }
    }
    tensors = Self.queue(tensorBytes, account) { items in
      let model = try await access.model(for: forms.session)
      let load = access.lastLoad(of: forms.session)
      return try await account.executing(by: load, times: model.takeRunTimes) {
        try await Self.each(items) { try await model.run($0.inputs, network: $0.network) }
      }
    }
  }

  private static func queue<Input, Output>(
    _ limits: (waiting: Int, batch: Int, width: Int), _ account: ExecutionAccount,
    _ process: @escaping @Sendable ([Input]) async throws -> [Output]
  ) -> WorkQueue<Input, Output> {
    WorkQueue(
      .init(waiting: limits.waiting, batch: limits.batch, width: limits.width), process: process
    ) { count, time in
      account.tookItems(count, after: time)
    }
  }

  private static func tokenQueue<Made: Sendable>(
    _ limits: (waiting: Int, batch: Int, width: Int)
  ) -> WorkQueue<TokenWork<Made>, Made> {
    WorkQueue(.init(waiting: limits.waiting, batch: limits.batch, width: limits.width)) { items in
      await WorkerThreads.run { _ in items.map { $0() } }
    }
  }

  /// Texts of which some may have their padding masked.
  private static func embed(
    _ texts: [TokenizedText], by model: TextEmbedder
  ) async throws(ApusError) -> [Embedding] {
    var embeddings = [Embedding?](repeating: nil, count: texts.count)
    for masks in Set(texts.map(\.masksPadding)) {
      let places = texts.indices.filter { texts[$0].masksPadding == masks }
      let found = try await model.embed(encodings: places.map { texts[$0].encoding }, masksPadding: masks)
      for (place, embedding) in zip(places, found) { embeddings[place] = embedding }
    }
    return embeddings.compactMap(\.self)
  }

  private static func each<Input, Output>(
    _ items: [Input], _ body: (Input) async throws -> Output
  ) async throws -> [Output] {
    var outputs: [Output] = []
    for item in items { outputs.append(try await body(item)) }
    return outputs
  }

  var waiting: (tokens: Int, pixels: Int, bytes: Int) {
    (
      textEmbedding.waitingCost + textClassification.waitingCost + encoding.waitingCost
        + decoding.waitingCost,
      imageEmbedding.waitingCost + imageClassification.waitingCost + zeroShot.waitingCost
        + labelScoring.waitingCost,
      tensors.waitingCost
    )
  }

  func expire(at now: ContinuousClock.Instant) {
    textEmbedding.expire(at: now)
    textClassification.expire(at: now)
    imageEmbedding.expire(at: now)
    imageClassification.expire(at: now)
    zeroShot.expire(at: now)
    labelScoring.expire(at: now)
    tensors.expire(at: now)
    encoding.expire(at: now)
    decoding.expire(at: now)
  }
}

extension ModelQueues.PictureScoring {
  fileprivate func outcome(of model: ZeroShotClassifier) async throws(ApusError) -> ZeroShotClassification {
    switch subject {
    case .picture(let picture):
      guard let templates else {
        return try await model.classify(picture, labels: labels, reading: reading)
      }
      var reading = reading
      let embedded = try await model.embed(
        labels: labels ?? model.labels, templates: templates, masksPadding: reading.masksPadding)
      reading.masksPadding = nil
      return try await model.classify(picture, among: embedded, reading: reading)
    case .embedding(let values):
      return try await model.classify(embedding: Embedding(values), labels: labels, reading: reading)
    }
  }
}
