import Graph
import Networks
import TensorCore

/// The work of a session, independent of how callers wait.
extension InferenceSession {
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
          .argument, "no tensor is given for input \(position) '\(input.name)'", expected: input.form)
      }
      return tensors
    }
    return try runner.runs(tensors)
  }

  /// A run with inputs by name or position.
  func inference(_ network: String?) -> Inference<[String: Tensor], NamedTensors> {
    inference(network) { (inputs, described) throws(ApusError) in try described.arranged(inputs) }
  }

  /// A run with inputs in the network's order; trailing ones may be omitted.
  func orderedInference(_ network: String?) -> Inference<[Tensor], NamedTensors> {
    inference(network) { (inputs, described) throws(ApusError) in
      guard inputs.count <= described.count else {
        throw ApusError(.argument, "\(inputs.count) input tensors", expected: "\(described.count)")
      }
      return inputs + [Tensor?](repeating: nil, count: described.count - inputs.count)
    }
  }

  /// - Parameter arranged: the inputs in the order of the network's.
  private func inference<Inputs: Sendable>(
    _ network: String?,
    _ arranged: @escaping @Sendable (Inputs, [TensorDescription]) throws(ApusError) -> [Tensor?]
  ) -> Inference<Inputs, NamedTensors> {
    Inference { (inputs, isCancelled) throws(ApusError) in
      let prepared = try self.prepared(network) { (described) throws(ApusError) in
        try arranged(inputs, described)
      }
      return NamedTensors(try prepared.outputs(isCancelled: isCancelled), named: prepared.outputNames)
    }
  }

  /// The times of the nodes over so many runs.
  func profiling(_ runs: Int, _ network: String?) -> Inference<[String: Tensor], InferenceProfile> {
    Inference { (inputs, isCancelled) throws(ApusError) in
      guard runs >= 1 else { throw ApusError(.argument, "\(runs) runs", expected: "at least 1") }
      let prepared = try self.prepared(network) { (described) throws(ApusError) in
        try described.arranged(inputs)
      }
      let compiled = prepared.model.compiled
      let profiler = Profiler(nodeCount: compiled.graph.nodes.count)
      var outputs: [Tensor] = []
      for _ in 0..<runs { outputs = try prepared.outputs(profiler: profiler, isCancelled: isCancelled) }
      return InferenceProfile(
        InferenceProfile.Node.nodes(profiler, of: compiled), runs: runs,
        outputs: NamedTensors(outputs, named: prepared.outputNames))
    }
  }

  /// A network made ready for shapes by the names of inputs, and what it gives then.
  func preparation(_ network: String?) -> Inference<[String: [Int]], [TensorDescription]> {
    Inference { (shapes, _) throws(ApusError) in
      let runner = try self.model.runner(network)
      return try runner.prepare(try self.model.given(shapes, for: runner)).outputs
    }
  }
}
