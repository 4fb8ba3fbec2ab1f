import TensorCore

/// A network in use: models compiled for the shapes it is given; recent ones are kept.
package struct NetworkRunner: NetworkMemory {
  package let network: Network
  private let body: any NetworkRunning

  init(_ network: Network, _ body: any NetworkRunning) {
    self.network = network
    self.body = body
  }

  /// The runs for given inputs: one, or of texts as many as batches.
  /// - Parameter tensors: for each of the network's inputs; nil only for one that may be left out.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take them.
  package func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns {
    try naming(network.path) { () throws(ApusError) in try body.runs(tensors) }
  }

  /// Has a model ready for inputs of those shapes.
  /// - Parameter shapes: for each of the network's inputs; nil for what the model states.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take such.
  package func prepare(_ shapes: [Shape?]) throws(ApusError) -> ReadyNetwork {
    try naming(network.path) { () throws(ApusError) in try body.prepare(shapes) }
  }

  /// The model that runs on inputs of those types as they are, one for each input, and the names of its outputs; nil where
  /// they are made into other tensors before, or their elements decide what is compiled.
  /// - Throws: ``ApusError`` when the network does not take such.
  package func direct(_ types: [TensorType]) throws(ApusError) -> (model: Model, outputs: [OutputName])? {
    try naming(network.path) { () throws(ApusError) in try body.direct(types) }
  }

  package var memory: ModelMemory { body.memory }

  package func releaseIdleMemory() { body.releaseIdleMemory() }

  package func takeRunTimes() -> [Duration] { body.takeRunTimes() }
}

/// A network that was made ready for some shapes.
package struct ReadyNetwork: Sendable {
  /// The outputs of runs, as far as shapes determine them.
  package let outputs: [TensorDescription]
  /// The compiled model; nil if it depends on the elements of inputs.
  package let model: Model?
}

/// The form in which a network is run.
protocol NetworkRunning: NetworkMemory {
  func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns
  func prepare(_ shapes: [Shape?]) throws(ApusError) -> ReadyNetwork
  func direct(_ types: [TensorType]) throws(ApusError) -> (model: Model, outputs: [OutputName])?
}

extension NetworkRunning {
  /// None, for towers: their inputs have other orders and types than those that callers give.
  func direct(_ types: [TensorType]) throws(ApusError) -> (model: Model, outputs: [OutputName])? { nil }
}
