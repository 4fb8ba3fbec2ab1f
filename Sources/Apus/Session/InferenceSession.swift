import Graph
import Networks
import TensorCore

/// Runs any model on tensors: what an interpreter is to a `.tflite` file, for model folders too.
///
///     let session = try await InferenceSession.load("mobilenet.tflite")
///     let pixels = try Tensor(npyFile: "picture.npy")
///     let outputs = try await session.run(["input": pixels])
///     print(try outputs[0].tensor.elements(of: Float.self))
///
/// Inputs of a model folder have the names and layouts of transformers: `pixel_values` [N, 3, H, W], or `input_ids`
/// [N, tokens] and `attention_mask`.
///
/// A model is compiled for the shapes of what it is given: for those that it states when it is opened, for others when
/// they first come. The last few are kept. Each run has memory of its own, and the same inputs give the same outputs, to
/// the last bit.
public final class InferenceSession: InferenceModel {
  private let model: SessionNetworks
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// For callers that say in each run what the model is to be ready for.
  package init(_ opened: OpenedModel, _ options: Options) throws(ApusError) {
    model = try Self.networks(opened, options)
    loadMilliseconds = LoadMilliseconds()
  }

  /// Opens a model, and makes the network that is meant when none is named ready for what it states: for one picture,
  /// or a text.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel` or `unsupportedModel` when the
  ///   model cannot be used, `argument` when there is no such network.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    var loading = Loading()
    try self.init(model, options, &loading)
  }

  /// The same without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
  public static func load(
    _ model: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> InferenceSession {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try InferenceSession(model, options, &loading)
    }
  }

  private init(_ path: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    let networks = try Self.networks(try loading.open(path, then: [.networks]), options)
    try loading.stage(.networks) { () throws(ApusError) in
      guard networks.hasUsual else { return }
      let runner = try networks.runner(nil)
      _ = try runner.prepare(try runner.network.inputs().map { _ in nil })
    }
    model = networks
    loadMilliseconds = loading.milliseconds
  }

  private static func networks(
    _ opened: OpenedModel, _ options: Options
  ) throws(ApusError) -> SessionNetworks {
    try options.inference.validate()
    // A name that is not there is refused now, and not by the first run.
    if let name = options.network { _ = try opened.network(named: name) }
    return SessionNetworks(opened, usual: options.network, options.inference)
  }

  /// The model's file or folder.
  public var path: String { model.model.path }

  /// What the networks are computed with that are ready: the one that is meant when none is named, and others after their
  /// first run.
  public var computation: Computation { model.computation }

  /// The networks that can be run, the main one of a file first: of a file each signature, of a folder those for
  /// pictures and texts.
  public var networks: [NetworkDescription] { model.descriptions }

  /// The keys of a file's signatures, each of which is the name of a network.
  public var signatures: [String] { model.model.signatures }

  /// What the network takes that is meant when none is named, in order; empty for a folder with two.
  public var inputs: [TensorDescription] { (try? model.runner(nil).network.inputs()) ?? [] }

  /// What that network gives, in order.
  public var outputs: [TensorDescription] { (try? model.runner(nil).network.outputs()) ?? [] }
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

  /// What makes a network ready for shapes.
  func preparation(_ network: String?) -> Inference<[String: [Int]], [TensorDescription]> {
    Inference { (shapes, _) throws(ApusError) in
      let runner = try self.model.runner(network)
      let dimensions = try naming(self.path) { () throws(ApusError) in
        try runner.network.inputs().arranged(shapes)
      }
      var given: [Shape?] = []
      for dimensions in dimensions { given.append(try dimensions.map(Shape.init(given:))) }
      return try runner.prepare(given)
    }
  }

  /// What measures the nodes of a network in so many runs.
  func profiling(_ network: String?, _ runs: Int) -> Inference<[String: Tensor], InferenceProfile> {
    Inference { (inputs, isCancelled) throws(ApusError) in
      guard runs >= 1 else { throw ApusError(.argument, "\(runs) runs", expected: "at least 1") }
      let prepared = try self.prepared(network) { (described) throws(ApusError) in
        try described.arranged(inputs)
      }
      let profiler = Profiler(nodeCount: prepared.model.compiled.graph.nodes.count)
      var outputs: [Tensor] = []
      for _ in 0..<runs { outputs = try prepared.outputs(profiler: profiler, isCancelled: isCancelled) }
      return InferenceProfile(
        InferenceProfile.Node.nodes(profiler, of: prepared.model.compiled), runs: runs,
        outputs: NamedTensors(outputs, named: prepared.model.outputs.map(\.name)))
    }
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
