import Networks
import TensorCore

/// Runs any model on tensors: what an interpreter is to a `.tflite` file, for model folders too.
///
///     let session = try await InferenceSession.load("mobilenet.tflite")
///     let pixels = try Tensor(npyFile: "picture.npy")
///     let outputs = try await session.run([session.inputs[0].name: pixels])
///     print(try outputs[0].tensor.elements(of: Float.self))
///
/// Inputs of a model folder have the names and layouts of transformers: `pixel_values` [N, 3, H, W], or `input_ids`
/// [N, tokens], `attention_mask` and, of a model whose tokens have types, `token_type_ids`.
///
/// A model is compiled for the shapes of what it is given: for those that it states when it is opened, for others when
/// they first come. The last few are kept. Each run has memory of its own, and the same inputs give the same outputs, to
/// the last bit, however many run at once.
public final class InferenceSession: InferenceModel {
  let model: SessionNetworks
  /// The arithmetic of the default network; empty for a folder with two.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a model, and makes the network that is meant when none is named ready for what it states: for one picture,
  /// or a text.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel` or `unsupportedModel` when the
  ///   model cannot be used, `argument` when there is no such network.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    var loading = Loading()
    try self.init(model, options, &loading)
  }

  /// Opens the model like the initialiser, and reports progress: a program may show it, and cancel before the next stage.
  /// - Parameters:
  ///   - model: a folder, a file, or a name in the local Hugging Face cache.
  ///   - options: the settings of the model.
  ///   - progress: told of every stage as it begins, on the calling thread, and at the end.
  ///   - isCancelled: asked before each stage.
  public convenience init(
    _ model: String, options: Options, progress: ((LoadProgress) -> Void)?,
    until isCancelled: @escaping () -> Bool
  ) throws(ApusError) {
    var loading = Loading(report: progress, isCancelled: isCancelled)
    try self.init(model, options, &loading)
    progress?(LoadProgress(stage: nil, fractionCompleted: 1))
  }

  /// Opens the model without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
  public static func load(
    _ model: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> InferenceSession {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try InferenceSession(model, options, &loading)
    }
  }

  private init(_ path: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    let networks = try SessionNetworks(loading.open(path, options.inference, then: [.network]), options)
    let ready = try loading.stage(.network) { () throws(ApusError) in try networks.prepareUsual() }
    (model, computation, loadTimes) = (networks, networks.computation(ready), loading.times)
  }

  /// For callers that know what they will run: nothing is made ready before.
  package init(_ opened: OpenedModel, _ options: Options) throws(ApusError) {
    model = try SessionNetworks(opened, options)
    (computation, loadTimes) = (model.computation(nil), LoadTimes())
  }

  /// The model's file or folder.
  public var path: String { model.model.path }

  /// The networks that can be run, the main one of a file first: of a file each signature, of a folder those for
  /// pictures and texts.
  public var networks: [NetworkDescription] { model.descriptions }

  /// The keys of a file's signatures, each of which is the name of a network.
  public var signatures: [String] { model.model.form.signatures }

  /// Inputs of the default network, in order; empty for a folder with two.
  public var inputs: [TensorDescription] { (try? inputs(of: nil)) ?? [] }

  /// Outputs of that network, in order.
  public var outputs: [TensorDescription] { (try? model.runner(nil).network.outputs()) ?? [] }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { model.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { model.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { model.takeRunTimes() }

  /// Inputs of a network.
  package func inputs(of network: String?) throws(ApusError) -> [TensorDescription] {
    try model.runner(network).network.inputs()
  }
}
