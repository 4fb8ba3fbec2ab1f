import Graph
import Networks
import TensorCore

/// Runs any model on tensors: what an interpreter is to a `.tflite` file, for model folders too.
///
///     let session = try InferenceSession("mobilenet.tflite")
///     let pixels = try Tensor(npyFile: "picture.npy")
///     let outputs = try session.run(["input": pixels])
///     print(try outputs[0].tensor.elements(of: Float.self))
///
/// Inputs of a model folder have the names and layouts of transformers: `pixel_values` [N, 3, H, W], or `input_ids`
/// [N, tokens] and `attention_mask`.
///
/// A model is compiled for the shapes of what it is given: for those that it states when it is opened, for others when
/// they first come. The last few are kept. A session may be used from any number of threads and tasks at once; each run
/// has memory of its own, and the same inputs give the same outputs, to the last bit.
public final class InferenceSession: Sendable {
  private let model: SessionNetworks
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  private init(_ loaded: Loaded) { (model, loadMilliseconds) = (loaded.networks, loaded.milliseconds) }

  /// For callers that say in each run what the model is to be ready for.
  package init(_ opened: OpenedModel, _ options: Options) throws(ApusError) {
    model = try Loaded.networks(opened, options)
    loadMilliseconds = LoadMilliseconds()
  }

  /// Opens a model, and makes the network that is meant when none is named ready for what it states: for one picture,
  /// or a text.
  /// - Parameters:
  ///   - model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache. Nothing is
  ///     downloaded.
  ///   - options: the network, precision and threads.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel` or `unsupportedModel` when the
  ///   model cannot be used, `argument` when there is no such network.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    self.init(try Loaded(model, options))
  }

  /// The same without blocking a thread of the caller's executor.
  public convenience init(_ model: String, options: Options = Options()) async throws(ApusError) {
    self.init(try await InferenceQueue.run { (_) throws(ApusError) in try Loaded(model, options) })
  }

  /// The model's file or folder.
  public var path: String { model.model.path }

  /// The networks that can be run, the main one of a file first: of a file each signature, of a folder those for
  /// pictures and texts.
  public var networks: [NetworkDescription] { model.descriptions }

  /// The keys of a file's signatures, each of which is the name of a network.
  public var signatures: [String] { model.model.signatures }

  /// What the network takes that is meant when none is named, in order; empty for a folder with two.
  public var inputs: [TensorDescription] { (try? model.runner(nil).network.inputs()) ?? [] }

  /// What that network gives, in order.
  public var outputs: [TensorDescription] { (try? model.runner(nil).network.outputs()) ?? [] }

  /// Makes a network ready for inputs of other shapes than those that it states, such as a larger batch, so that the
  /// first run with them finds it so. Runs with other shapes stay possible.
  ///
  ///     try session.prepare(shapes: ["input": [8, 224, 224, 3]])
  ///
  /// - Parameters:
  ///   - shapes: by the input's name or position; those that are not named keep what the model states.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: what the network gives then.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take such, or has no such input.
  @discardableResult
  public func prepare(
    shapes: [String: [Int]] = [:], network: String? = nil
  ) throws(ApusError) -> [TensorDescription] {
    let runner = try model.runner(network)
    let dimensions = try naming(path) { () throws(ApusError) in
      try runner.network.inputs().arranged(shapes)
    }
    var given: [Shape?] = []
    for dimensions in dimensions { given.append(try dimensions.map(Shape.init(given:))) }
    return try runner.prepare(given)
  }

  /// Runs a network on named tensors, and waits for the result. In a task that is cancelled it stops before the next
  /// node.
  /// - Parameters:
  ///   - inputs: by name or position. Their shapes may be others than the model states, where it can be computed so.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: all outputs, in the model's order.
  /// - Throws: ``ApusError``: kind `argument` for an input that is missing, unknown, or of another type or shape than
  ///   the network takes; `cancelled`; what an operation says of its data.
  public func run(_ inputs: [String: Tensor], network: String? = nil) throws(ApusError) -> NamedTensors {
    try inference(network).now(inputs)
  }

  /// The same for tensors in the order of the network's inputs.
  public func run(_ inputs: [Tensor], network: String? = nil) throws(ApusError) -> NamedTensors {
    try inference(network, Self.inOrder).now(inputs)
  }

  /// Runs a network and measures what each of its nodes takes.
  /// - Parameters:
  ///   - inputs: by name or position.
  ///   - runs: how often it is run, at least 1.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: the times, and what the last run gave. Of texts that are run in several batches it is the first whose
  ///   times are there.
  /// - Throws: ``ApusError`` as runs do.
  public func profile(
    _ inputs: [String: Tensor], runs: Int = 1, network: String? = nil
  ) throws(ApusError) -> InferenceProfile {
    guard runs >= 1 else { throw ApusError(.argument, "\(runs) runs", expected: "at least 1") }
    let prepared = try prepared(network) { (described) throws(ApusError) in try described.arranged(inputs) }
    let profiler = Profiler(nodeCount: prepared.model.compiled.graph.nodes.count)
    var outputs: [Tensor] = []
    for _ in 0..<runs {
      outputs = try prepared.outputs(profiler: profiler) { Task.isCancelled }
    }
    return InferenceProfile(
      InferenceProfile.Node.nodes(profiler, of: prepared.model.compiled), runs: runs,
      outputs: NamedTensors(outputs, named: prepared.model.outputs.map(\.name)))
  }
}

extension InferenceSession {
  /// What a network takes.
  package func inputs(of network: String?) throws(ApusError) -> [TensorDescription] {
    try model.runner(network).network.inputs()
  }

  /// The runs for tensors, to be repeated.
  /// - Parameter tensors: for each input that the network takes; nil for one that is left out.
  package func prepared(
    _ network: String?, _ tensors: ([TensorDescription]) throws(ApusError) -> [Tensor?]
  ) throws(ApusError) -> PreparedRuns {
    let runner = try model.runner(network)
    let tensors = try naming(path) { () throws(ApusError) in
      let described = try runner.network.inputs()
      let tensors = try tensors(described)
      for (position, (tensor, input)) in zip(tensors, described).enumerated()
      where tensor == nil && !input.isOptional {
        throw ApusError(
          .argument, "no tensor is given for input \(position) '\(input.name)'", expected: "\(input)")
      }
      return tensors
    }
    return try runner.runs(tensors)
  }

  /// What a run does with inputs.
  /// - Parameter arranged: the inputs in the order of the network's.
  func inference<Inputs: Sendable>(
    _ network: String?,
    _ arranged: @escaping @Sendable (Inputs, [TensorDescription]) throws(ApusError) -> [Tensor?]
  ) -> Inference<Inputs, NamedTensors> {
    Inference { (inputs, isCancelled) throws(ApusError) in
      if isCancelled() { throw ApusError(.cancelled, "the run was cancelled") }
      let prepared = try self.prepared(network) { (described) throws(ApusError) in
        try arranged(inputs, described)
      }
      return NamedTensors(
        try prepared.outputs(isCancelled: isCancelled), named: prepared.model.outputs.map(\.name))
    }
  }

  /// What is given by name or position.
  func inference(_ network: String?) -> Inference<[String: Tensor], NamedTensors> {
    inference(network) { (inputs, described) throws(ApusError) in try described.arranged(inputs) }
  }

  /// What is given in the network's order; the last may be left out.
  @Sendable static func inOrder(
    _ inputs: [Tensor], _ described: [TensorDescription]
  ) throws(ApusError) -> [Tensor?] {
    guard inputs.count <= described.count else {
      throw ApusError(.argument, "\(inputs.count) input tensors", expected: "\(described.count)")
    }
    return inputs + [Tensor?](repeating: nil, count: described.count - inputs.count)
  }
}

/// What opening a session takes time for.
private struct Loaded: Sendable {
  let networks: SessionNetworks
  let milliseconds: LoadMilliseconds

  init(_ path: String, _ options: InferenceSession.Options) throws(ApusError) {
    var watch = Stopwatch()
    networks = try Self.networks(try OpenedModel(path), options)
    let open = watch.lap()
    if networks.hasUsual {
      let runner = try networks.runner(nil)
      _ = try runner.prepare(try runner.network.inputs().map { _ in nil })
    }
    milliseconds = LoadMilliseconds(open: open, compile: watch.lap())
  }

  static func networks(
    _ opened: OpenedModel, _ options: InferenceSession.Options
  ) throws(ApusError) -> SessionNetworks {
    try options.inference.validate()
    // A name that is not there is refused now, and not by the first run.
    if let name = options.network { _ = try opened.network(named: name) }
    return SessionNetworks(opened, usual: options.network, options.inference)
  }
}
