import Networks
import TensorCore

/// The common interface of all classifiers and embedders: a model is opened once, and used for any number of inputs,
/// from any number of threads and tasks at once.
///
/// Calls are `async`: they never block a thread of Swift's cooperative pool, and stop before the next node of the model
/// when their task is cancelled. ``blocking`` has the same calls for programs that wait.
public protocol InferenceModel: Sendable {
  /// How a model is set up; the defaults are the model's own.
  associatedtype Options: Sendable

  /// Opens a model, and waits until it is ready.
  /// - Parameters:
  ///   - model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache. Nothing is
  ///     downloaded.
  ///   - options: how the model is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  init(_ model: String, options: Options) throws(ApusError)

  /// Opens a model without blocking a thread of the caller's executor. Cancelling the task stops before the next
  /// stage.
  /// - Parameters:
  ///   - model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - options: how the model is set up.
  ///   - progress: told of every stage as it begins, on a thread of its own, and at the end.
  /// - Throws: ``ApusError``: what ``init(_:options:)`` throws, and `cancelled`.
  static func load(
    _ model: String, options: Options, progress: (@Sendable (LoadProgress) -> Void)?
  ) async throws(ApusError) -> Self

  /// The file or folder in use.
  var path: String { get }
  /// The arithmetic and kernels it runs on.
  var computation: Computation { get }
  /// The time that each part of loading took.
  var loadTimes: LoadTimes { get }
  /// Notes for people: files beside the model that were ignored although their names are read, and why (a `labels.json`
  /// with another number of classes, a `meta.json` with another input size), and anything else worth knowing about how
  /// the model was opened, such as a number that no file states.
  var notes: [String] { get }
  /// Its memory now. Simultaneous runs and texts of new lengths add to it.
  var memory: ModelMemory { get }
  /// Gives back the memory that runs left for the next ones. It comes again with them.
  func releaseIdleMemory()
  /// How long each run of its networks took that ended since this was last asked, the newest thousand of each network at
  /// most: for a program that measures them. A result may come of several runs, of one that it shares with others, or of
  /// none: scoring a vector against labels that are known runs nothing.
  func takeRunTimes() -> [Duration]
}

extension InferenceModel {
  /// None, where a model reads no files beside it.
  public var notes: [String] { [] }
  /// Nothing, where a model does not say.
  public var memory: ModelMemory { ModelMemory() }
  /// Does nothing, where a model keeps nothing.
  public func releaseIdleMemory() {}
  /// None, where a model does not measure them.
  public func takeRunTimes() -> [Duration] { [] }
}
