import Graph
import TensorCore

/// Where the time of a model's runs went.
public struct InferenceProfile: Sendable {
  /// An operation of the compiled model.
  public struct Node: Sendable, Hashable {
    /// Where it is from: `operator 12 (CONV_2D)`.
    public let name: String
    /// The operation, such as `conv2D`.
    public let operation: String
    /// The kernel and the instruction set it is compiled for.
    public let kernel: String
    /// The time of one run: the mean of all.
    public var time: Duration { Duration(milliseconds: milliseconds) }
    package let milliseconds: Double
    /// Multiplications with an addition that a run takes.
    public let multiplyAccumulates: Int
  }

  /// In the order in which they run. Passes merge operations of a model, and do away with some.
  public let nodes: [Node]
  /// The runs that were measured.
  public let runs: Int
  /// Outputs of the last run.
  public let outputs: NamedTensors

  init(_ nodes: [Node], runs: Int, outputs: NamedTensors) {
    (self.nodes, self.runs, self.outputs) = (nodes, runs, outputs)
  }

  /// The time of all nodes of one run.
  public var totalTime: Duration { Duration(milliseconds: nodes.reduce(0) { $0 + $1.milliseconds }) }
}

extension InferenceProfile.Node {
  /// A profiler's record of a model.
  package static func nodes(_ profiler: Profiler, of model: CompiledModel) -> [Self] {
    let runs = Double(max(profiler.runs, 1))
    return model.graph.nodes.indices.filter { model.lowerings[$0].aliasedInput == nil }.map { index in
      Self(
        name: model.graph.nodes[index].label, operation: model.graph.nodes[index].operation.name,
        kernel: model.lowerings[index].kernel,
        milliseconds: Double(profiler.nanoseconds[index]) / runs / 1e6,
        multiplyAccumulates: model.multiplyAccumulates[index])
    }
  }
}
