import Networks
import TensorCore

/// A model being opened, as its callers see it: stages are timed and reported, and none begins after the last caller
/// stopped waiting.
struct Loading {
  private(set) var times = LoadTimes()
  private var stages: [LoadStage] = []
  private var begun = 0
  private let report: ((LoadProgress) -> Void)?
  /// Whether no caller is waiting any more.
  let isCancelled: () -> Bool

  init(
    report: ((LoadProgress) -> Void)? = nil, isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) {
    self.report = report
    self.isCancelled = isCancelled
  }

  /// Opens a model, whose `stages` follow in this order.
  mutating func open(
    _ model: String, _ inference: InferenceOptions, then stages: [LoadStage]
  ) throws(ApusError) -> OpenedModel {
    (self.stages, begun) = ([.open] + stages, 0)
    return try stage(.open) { () throws(ApusError) in try OpenedModel(model, variant: inference.variant) }
  }

  /// Does what a stage consists of.
  /// - Throws: ``ApusError`` of kind `cancelled`, or what `body` throws.
  mutating func stage<Result>(
    _ stage: LoadStage, _ body: () throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    guard !isCancelled() else { throw ApusError(.cancelled, "the loading was cancelled") }
    report?(LoadProgress(stage: stage, fractionCompleted: Double(begun) / Double(stages.count)))
    begun += 1
    var watch = Stopwatch()
    let result = try body()
    times.add(watch.lap(), to: stage)
    return result
  }

  /// The model that `body` opens, on a thread where it may take its time.
  static func inBackground<Model: Sendable>(
    _ progress: (@Sendable (LoadProgress) -> Void)?,
    _ body: @escaping @Sendable (inout Loading) throws(ApusError) -> Model
  ) async throws(ApusError) -> Model {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      var loading = Loading(report: progress, isCancelled: isCancelled)
      let model = try body(&loading)
      progress?(LoadProgress(stage: nil, fractionCompleted: 1))
      return model
    }
  }
}
