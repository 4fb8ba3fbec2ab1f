import Graph
import Models
import TensorCore

/// One of a model's networks: what it takes, and its graph.
package struct Network: Sendable {
  /// `image` or `text` of a folder; `main` or the name of a signature or subgraph of a file.
  package let name: String
  /// The model's file or folder, which errors name.
  package let path: String
  private let body: any NetworkBody

  init(named name: String, path: String, _ body: any NetworkBody) {
    self.name = name
    self.path = path
    self.body = body
  }

  init(_ part: ModelPart, _ body: any NetworkBody, path: String) {
    self.init(named: part.rawValue, path: path, body)
  }

  /// The network, before any pass.
  /// - Throws: ``ApusError`` when a weight is missing or does not fit, or with all operators that Apus does not run.
  package func graph(_ shape: NetworkShape = .single) throws(ApusError) -> Graph {
    try naming(path) { () throws(ApusError) in try body.graph(shape) }
  }

  /// The types of what one run takes.
  package func inputTypes() throws(ApusError) -> [TensorType] {
    let graph = try graph()
    return graph.inputs.map { graph[$0].type }
  }

  /// The tower behind a network for texts.
  package var textTower: (any TextTower)? { (body as? TextNetwork)?.tower }

  /// Numbers that a tower gives for a picture or text; nil of a file's network for pictures.
  var towerWidth: Int? { (body as? ImageNetwork)?.tower.outputWidth ?? textTower?.outputWidth }

  /// The inputs, in order.
  package func inputs() throws(ApusError) -> [TensorDescription] {
    try naming(path) { () throws(ApusError) in try body.inputs() }
  }

  /// Outputs of a run, in order.
  package func outputs() throws(ApusError) -> [TensorDescription] {
    try naming(path) { () throws(ApusError) in try body.outputs() }
  }

  /// A runner of the network. Keep it for further runs: it compiles models for the shapes it is given.
  package func runner(_ options: ModelOptions) -> NetworkRunner {
    NetworkRunner(self, body.runner(path: path, options))
  }
}

/// The shapes for which a graph is built.
package enum NetworkShape: Hashable, Sendable {
  /// The file's own shapes; for a tower one picture, or one text of the greatest length.
  case single
  case pictures(Int)
  case texts(tokens: Int, sequences: Int)
}

/// The form in which a network is there.
protocol NetworkBody: Sendable {
  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph
  func inputs() throws(ApusError) -> [TensorDescription]
  func outputs() throws(ApusError) -> [TensorDescription]
  func runner(path: String, _ options: ModelOptions) -> any NetworkRunning
}
