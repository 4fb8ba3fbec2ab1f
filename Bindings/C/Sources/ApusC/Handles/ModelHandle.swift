import Apus
import ApusService

/// A model that is open for a task.
final class ModelHandle: Handled {
  static let name = "model"

  let model: OpenModel
  /// The settings that it was opened with, as JSON.
  let settings: String
  /// Runs of late, for tensors.
  let runs: DirectRuns?
  /// What takes down its times; nil where nobody wants them.
  private let watcher = Guarded<LatencyRecorder?>(nil)

  init(_ model: OpenModel, settings: String) {
    (self.model, self.settings) = (model, settings)
    if case .tensors(let session) = model { runs = DirectRuns(session) } else { runs = nil }
  }

  /// What takes down its times from now on.
  var recorder: LatencyRecorder? {
    get { watcher.withLock { $0 } }
    set { watcher.withLock { $0 = newValue } }
  }
}

/// A model by its task.
enum OpenModel: Sendable {
  case tensors(InferenceSession)
  case imageClassification(ImageClassifier)
  case zeroShot(ZeroShotClassifier)
  case textClassification(TextClassifier)
  case textEmbedding(TextEmbedder)
  case imageEmbedding(ImageEmbedder)

  var task: ModelTask {
    switch self {
    case .tensors: .tensors
    case .imageClassification: .imageClassification
    case .zeroShot: .zeroShot
    case .textClassification: .textClassification
    case .textEmbedding: .textEmbedding
    case .imageEmbedding: .imageEmbedding
    }
  }

  var common: any InferenceModel {
    switch self {
    case .tensors(let model): model
    case .imageClassification(let model): model
    case .zeroShot(let model): model
    case .textClassification(let model): model
    case .textEmbedding(let model): model
    case .imageEmbedding(let model): model
    }
  }

  /// The error for a call of another task.
  func misfit(_ tasks: ModelTask...) -> ApusError {
    ApusError(
      .argument, "a model that is open for '\(task.rawValue)'",
      expected: tasks.map { "'\($0.rawValue)'" }.joined(separator: " or "), file: common.path,
      advice: "Open the model once more, for this task: its weights are in memory once.")
  }
}

extension OpenModel {
  /// Opens a model.
  /// - Throws: ``ApusError`` of kind `argument` for the settings, and whatever the model throws.
  init(
    _ name: String, _ task: ModelTask, settings: String, _ progress: ((LoadProgress) -> Void)?,
    until isCancelled: @escaping () -> Bool
  ) throws(ApusError) {
    self =
      switch task {
      case .tensors:
        .tensors(
          try InferenceSession(name, options: .init(json: settings), progress: progress, until: isCancelled))
      case .imageClassification:
        .imageClassification(
          try ImageClassifier(name, options: .init(json: settings), progress: progress, until: isCancelled))
      case .zeroShot:
        .zeroShot(
          try ZeroShotClassifier(name, options: .init(json: settings), progress: progress, until: isCancelled)
        )
      case .textClassification:
        .textClassification(
          try TextClassifier(name, options: .init(json: settings), progress: progress, until: isCancelled))
      case .textEmbedding:
        .textEmbedding(
          try TextEmbedder(name, options: .init(json: settings), progress: progress, until: isCancelled))
      case .imageEmbedding:
        .imageEmbedding(
          try ImageEmbedder(name, options: .init(json: settings), progress: progress, until: isCancelled))
      }
  }
}

extension ModelHandle {
  /// Does the work of so many inputs, and takes down how long one of them took.
  func recorded<Value>(_ count: Int, _ work: () throws(ApusError) -> Value) throws(ApusError) -> Value {
    guard let recorder else { return try work() }
    let begin = ContinuousClock.now
    do throws(ApusError) {
      let value = try work()
      let time = (ContinuousClock.now - begin) / max(count, 1)
      for _ in 0..<count {
        recorder.record(.run, time)
        recorder.record(.total, time)
      }
      return value
    } catch {
      recorder.recordFailure()
      throw error
    }
  }
}
