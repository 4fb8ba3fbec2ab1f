import TensorCore

extension InferenceSession {
  /// Runs a network on named tensors without blocking a thread of the caller's executor. Cancelling the task stops the
  /// work before the next node.
  /// - Parameters:
  ///   - inputs: by name or position. Their shapes may be others than the model states, where it can be computed so.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: all outputs, in the model's order.
  /// - Throws: ``ApusError``: kind `argument` for an input that is missing, unknown, or of another type or shape than
  ///   the network takes; `cancelled`; what an operation says of its data.
  public func run(_ inputs: [String: Tensor], network: String? = nil) async throws(ApusError) -> NamedTensors
  {
    try await inference(network).inBackground(inputs)
  }

  /// The same for tensors in the order of the network's inputs.
  public func run(_ inputs: [Tensor], network: String? = nil) async throws(ApusError) -> NamedTensors {
    try await inference(network, Self.inOrder).inBackground(inputs)
  }

  /// The results for many inputs, in their order, several being worked on at a time.
  ///
  ///     for await item in session.outputs(of: pictures.map { ["input": $0] }) { … }
  ///
  /// - Parameters:
  ///   - inputs: taken from their sequence as they are needed.
  ///   - network: its name; nil for the one that is meant when none is named.
  ///   - width: how many are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func outputs<Inputs: Sequence<[String: Tensor]>>(
    of inputs: Inputs, network: String? = nil, width: Int? = nil
  ) -> InferenceBatch<Inputs, NamedTensors> {
    inference(network).batch(of: inputs, width: width)
  }
}
