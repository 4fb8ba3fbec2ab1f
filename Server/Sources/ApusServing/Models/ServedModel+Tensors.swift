import Apus

extension ServedModel {
  /// Runs one of its networks on tensors.
  /// - Parameters:
  ///   - inputs: by their names.
  ///   - network: one of ``networks()``; nil for the only one, or the main one of a file.
  /// - Throws: ``ServingError``.
  public func run(
    _ inputs: [String: Tensor], network: String?
  ) async throws(ServingError) -> NamedTensors {
    try require(.tensors)
    let cost = inputs.values.reduce(0) { $0 + $1.type.byteCount }
    let item = ModelQueues.TensorRun(inputs: inputs, network: network)
    let found = try await recorded { () async throws(ServingError) -> RequestOutcomes<NamedTensors> in
      try await outcomes(of: [(input: item, cost: cost)], in: queues.tensors)
    }
    return try found[0].get()
  }

  /// Its networks: the names, types and extents of what they take and give.
  /// - Throws: ``ServingError`` when the model cannot be opened.
  public func networks() async throws(ServingError) -> [NetworkDescription] {
    try require(.tensors)
    return try await opened(forms.session).networks
  }
}
