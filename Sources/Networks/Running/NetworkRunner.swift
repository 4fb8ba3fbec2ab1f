import TensorCore

/// A network in use: models compiled for the shapes that come, those of late kept.
package struct NetworkRunner: Sendable {
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

  /// What the network is computed with, once it is compiled.
  package var computation: Computation? { body.latest.map { Computation($0.compiled, part: network.name) } }

  /// Has a model ready for inputs of those shapes.
  /// - Parameter shapes: for each of the network's inputs; nil for what the model states.
  /// - Returns: the types of the outputs, as far as shapes alone say them.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take such.
  package func prepare(_ shapes: [Shape?]) throws(ApusError) -> [TensorDescription] {
    try naming(network.path) { () throws(ApusError) in try body.prepare(shapes) }
  }
}

/// The form in which a network is run.
protocol NetworkRunning: Sendable {
  /// The model used last.
  var latest: Model? { get }
  func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns
  func prepare(_ shapes: [Shape?]) throws(ApusError) -> [TensorDescription]
}
