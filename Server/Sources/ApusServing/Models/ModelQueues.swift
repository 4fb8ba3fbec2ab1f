import Apus
import ApusService

/// The queues of a model: one for each kind of work.
struct ModelQueues: Sendable {
  /// A run on bare tensors.
  struct TensorRun: Sendable {
    let inputs: [String: Tensor]
    let network: String?
  }

  /// Making tokens of a text, or a text of tokens, which runs no network.
  typealias TokenWork<Made> = @Sendable () -> Made
  /// Items for a model in one of its forms.
  typealias Queue<Model: InferenceModel & AnyObject, Input: Sendable, Output: Sendable> =
    WorkQueue<Job<Model, Input, Output>.Item, Output>

  let textEmbedding: Queue<TextEmbedder, TokenizedText, Embedding>
  let textClassification: Queue<TextClassifier, TokenizedText, TextClassification>
  let imageEmbedding: Queue<ImageEmbedder, Picture, Embedding>
  let imageClassification: Queue<ImageClassifier, Picture, Classification>
  let zeroShot: Queue<ZeroShotClassifier, PictureScoring, ZeroShotClassification>
  let labelScoring: Queue<TextEmbedder, TowerScoring.Item, ZeroShotClassification>
  let tensors: Queue<InferenceSession, TensorRun, NamedTensors>
  let encoding: WorkQueue<TokenWork<Encoding>, Encoding>
  let decoding: WorkQueue<TokenWork<String>, String>
  private let all: [QueueList.Entry]

  /// - Parameters:
  ///   - access: where the forms are opened.
  ///   - tower: how a tower for texts scores labels.
  ///   - account: where it is taken down what they do.
  init(
    _ forms: ModelForms, _ access: FormAccess, _ tower: TowerScoring, _ account: ExecutionAccount,
    _ limits: ServingLimits
  ) {
    var list = QueueList(limits, access, account)
    textEmbedding = list.add(
      .tokens, batch: limits.batchTokens,
      Job(forms.textEmbedder) { model, texts in
        let vectors = try await model.embed(texts)
        account.tookTokens(of: texts)
        return vectors
      })
    textClassification = list.add(
      .tokens, batch: limits.batchTokens,
      Job(forms.textClassifier) { model, texts in
        let classes = try await model.classify(encodings: texts.map(\.encoding))
        account.tookTokens(of: texts)
        return classes
      })
    imageEmbedding = list.add(
      .pixels,
      Job(forms.imageEmbedder) { model, pictures in
        try await limits.decoding(pictures) { try await model.embed(pictures) }
      })
    imageClassification = list.add(
      .pixels,
      Job(forms.imageClassifier) { model, pictures in
        try await limits.decoding(pictures) { try await model.classify(pictures, topK: nil) }
      })
    zeroShot = list.add(
      .pixels,
      Job(
        forms.zeroShotClassifier,
        each: { model, item in
          try await limits.decoding(item.picture.map { [$0] } ?? []) { try await item.outcome(of: model) }
        }))
    labelScoring = list.add(
      .pixels,
      Job(forms.textEmbedder, each: { model, item in try await tower.outcome(of: item, by: model) }))
    tensors = list.add(
      .bytes,
      Job(forms.session, each: { model, item in try await model.run(item.inputs, network: item.network) }))
    encoding = list.add(.tokens) { items in await WorkerThreads.run { _ in items.map { $0() } } }
    decoding = list.add(.tokens) { items in await WorkerThreads.run { _ in items.map { $0() } } }
    all = list.entries
  }

  /// The cost of what waits in them.
  func waiting(_ unit: QueueList.Unit) -> Int {
    all.filter { $0.unit == unit }.reduce(0) { $0 + $1.queue.waitingCost }
  }

  /// Ends the requests whose time is over.
  func expire(at now: ContinuousClock.Instant) {
    for entry in all { entry.queue.expire(at: now) }
  }
}
