import TensorCore

extension InferenceSession {
  /// Runs a network on named tensors.
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

  /// Runs with tensors in the order of the network's inputs.
  public func run(_ inputs: [Tensor], network: String? = nil) async throws(ApusError) -> NamedTensors {
    try await orderedInference(network).inBackground(inputs)
  }

  /// Makes a network ready for inputs of other shapes than those that it states, such as a larger batch, so that the
  /// first run with them finds it so. Runs with other shapes stay possible.
  /// - Parameters:
  ///   - shapes: by the input's name or position; those that are not named keep what the model states.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: what the network gives then.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take such, or has no such input.
  @discardableResult
  public func prepare(
    shapes: [String: [Int]] = [:], network: String? = nil
  ) async throws(ApusError) -> [TensorDescription] {
    try await preparation(network).inBackground(shapes)
  }

  /// Runs a network and measures what each of its nodes takes.
  /// - Parameters:
  ///   - inputs: by name or position.
  ///   - runs: how often it is run, at least 1.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: the times, and what the last run gave. Of texts that are run in several batches it is the first whose
  ///   times are there.
  /// - Throws: ``ApusError`` as a run does.
  public func profile(
    _ inputs: [String: Tensor], runs: Int = 1, network: String? = nil
  ) async throws(ApusError) -> InferenceProfile {
    try await profiling(runs, network).inBackground(inputs)
  }

  /// The results for many inputs, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - inputs: taken from their sequence as they are needed.
  ///   - network: its name; nil for the one that is meant when none is named.
  ///   - width: how many are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func outputs<Inputs: Sequence<[String: Tensor]>>(
    of inputs: Inputs, network: String? = nil, width: Int? = nil
  ) -> InferenceBatch<Inputs, NamedTensors> {
    inference(network).batch(of: inputs, width: width)
  }

  /// The results for inputs that come by and by, in their order.
  public func outputs<Inputs: AsyncSequence & Sendable>(
    of inputs: Inputs, network: String? = nil, width: Int? = nil
  ) -> InferenceStream<Inputs, NamedTensors> where Inputs.Element == [String: Tensor] {
    inference(network).stream(of: inputs, width: width)
  }
}

extension Blocking<InferenceSession> {
  /// Runs a network on named tensors.
  /// - Parameters:
  ///   - inputs: by name or position. Their shapes may be others than the model states, where it can be computed so.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: all outputs, in the model's order.
  /// - Throws: ``ApusError``: kind `argument` for an input that is missing, unknown, or of another type or shape than
  ///   the network takes; `cancelled`; what an operation says of its data.
  public func run(_ inputs: [String: Tensor], network: String? = nil) throws(ApusError) -> NamedTensors {
    try model.inference(network).now(inputs, until: isCancelled)
  }

  /// Runs with tensors in the order of the network's inputs.
  public func run(_ inputs: [Tensor], network: String? = nil) throws(ApusError) -> NamedTensors {
    try model.orderedInference(network).now(inputs, until: isCancelled)
  }

  /// Makes a network ready for inputs of other shapes than those that it states, such as a larger batch, so that the
  /// first run with them finds it so. Runs with other shapes stay possible.
  /// - Parameters:
  ///   - shapes: by the input's name or position; those that are not named keep what the model states.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: what the network gives then.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take such, or has no such input.
  @discardableResult
  public func prepare(
    shapes: [String: [Int]] = [:], network: String? = nil
  ) throws(ApusError) -> [TensorDescription] {
    try model.preparation(network).now(shapes, until: isCancelled)
  }

  /// Runs a network and measures what each of its nodes takes.
  /// - Parameters:
  ///   - inputs: by name or position.
  ///   - runs: how often it is run, at least 1.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Returns: the times, and what the last run gave. Of texts that are run in several batches it is the first whose
  ///   times are there.
  /// - Throws: ``ApusError`` as a run does.
  public func profile(
    _ inputs: [String: Tensor], runs: Int = 1, network: String? = nil
  ) throws(ApusError) -> InferenceProfile {
    try model.profiling(runs, network).now(inputs, until: isCancelled)
  }
}
