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

  /// What callers may give, in order.
  package func inputs() throws(ApusError) -> [NetworkInput] {
    try naming(path) { () throws(ApusError) in try body.inputs() }
  }

  /// The runs for given inputs: one, or of texts as many as batches.
  /// - Parameter tensors: for each of ``inputs()``; nil only for one that may be left out.
  /// - Throws: ``ApusError`` of kind `argument` when the network does not take them.
  package func runs(_ tensors: [Tensor?], _ options: ModelOptions) throws(ApusError) -> PreparedRuns {
    try naming(path) { () throws(ApusError) in try body.runs(tensors, path: path, options) }
  }
}

/// The shapes for which a graph is built.
package enum NetworkShape: Hashable, Sendable {
  /// What a file states; of a tower one picture, or one text of the greatest length.
  case single
  case pictures(Int)
  case texts(tokens: Int, sequences: Int)
}

/// A tensor that a network takes, by the names under which callers may give it.
package struct NetworkInput: Sendable {
  package let name: String
  /// The name inside the file, where that is another.
  package let innerName: String
  package let isOptional: Bool
  /// The types and extents that it may have; nil for those of the graph's input.
  package let form: InputForm?

  init(_ name: String, innerName: String? = nil, isOptional: Bool = false, form: InputForm? = nil) {
    self.name = name
    self.innerName = innerName ?? name
    self.isOptional = isOptional
    self.form = form
  }
}

/// What tensors an input takes, where that is more than one type.
package struct InputForm: Sendable, CustomStringConvertible {
  /// The usual one first.
  package let dataTypes: [DataType]
  package let extents: [Extent]

  package enum Extent: Sendable {
    case fixed(Int)
    /// Up to the caller; how people call it.
    case free(String)
  }

  init(_ dataTypes: [DataType], _ extents: Extent...) {
    self.dataTypes = dataTypes
    self.extents = extents
  }

  /// `int64 or int32 [N, up to 77 tokens]`.
  package var description: String {
    let words = extents.map { extent in
      switch extent {
      case .fixed(let count): "\(count)"
      case .free(let name): name
      }
    }
    return "\(dataTypes.map(\.rawValue).joined(separator: " or ")) [\(words.joined(separator: ", "))]"
  }
}

/// A run of a compiled network, and its inputs.
package struct PreparedRun: Sendable {
  package let model: Model
  package let inputs: [Tensor]
}

/// The runs that give one result.
package struct PreparedRuns: Sendable {
  /// At least one.
  package let runs: [PreparedRun]
  /// The runs whose outputs are the rows of the result; nil when the outputs are those of one model.
  package let batches: Batches<PreparedRun>?

  init(_ run: PreparedRun) { (runs, batches) = ([run], nil) }

  init(_ batches: Batches<PreparedRun>) { (runs, self.batches) = (batches.contents, batches) }
}

/// The form in which a network is there.
protocol NetworkBody: Sendable {
  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph
  func inputs() throws(ApusError) -> [NetworkInput]
  func runs(_ tensors: [Tensor?], path: String, _ options: ModelOptions) throws(ApusError) -> PreparedRuns
}
