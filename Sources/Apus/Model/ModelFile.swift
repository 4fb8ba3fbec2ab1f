import Formats
import Graph
import Models
import TensorCore

/// A model file that was read and verified, and can be compiled.
package struct ModelFile: Sendable {
  package let path: String
  package let bytes: [UInt8]
  package let importer: TFLiteImporter

  package var description: TFLiteModel { importer.model }

  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break TFLite's rules.
  package init(_ path: String) throws(ApusError) {
    (importer, bytes) = try TFLiteLoader.load(path)
    self.path = path
  }

  /// What the file says of itself; nil when it says nothing.
  package func metadata() throws(ApusError) -> TFLiteMetadata? {
    try inFile { () throws(ApusError) in try TFLiteMetadata(of: description, in: bytes) }
  }

  /// The inputs and outputs of an entry.
  package func interface(_ entry: ModelOptions.Entry) throws(ApusError) -> TFLiteInterface {
    try inFile { () throws(ApusError) in
      let (signature, subgraph) = try resolve(entry)
      return try description.interface(signature: signature, subgraph: subgraph)
    }
  }

  /// The model as a graph, before any pass.
  /// - Parameters:
  ///   - inputShapes: shapes other than those in the file, by the input's position.
  ///   - inputValues: elements that inputs shall have in every run, by the input's position.
  package func graph(
    _ entry: ModelOptions.Entry, inputShapes: [Int: Shape] = [:], inputValues: [Int: Tensor] = [:]
  ) throws(ApusError) -> Graph {
    try inFile { () throws(ApusError) in
      let (signature, subgraph) = try resolve(entry)
      let shapes = inputShapes.map { (TFLiteInputReference.position($0.key), $0.value) }
      return try importer.graph(
        signature: signature, subgraph: subgraph, inputShapes: Dictionary(uniqueKeysWithValues: shapes),
        inputValues: inputValues)
    }
  }

  private func resolve(_ entry: ModelOptions.Entry) throws(ApusError) -> (signature: String?, subgraph: Int) {
    switch entry {
    case .main: return (nil, 0)
    case .subgraph(let index): return (nil, index)
    case .named(let name):
      if description.signatures.contains(where: { $0.key == name }) { return (name, 0) }
      if let subgraph = try? description.subgraph(named: name) { return (nil, subgraph.index) }
      // The error of an unknown signature lists those there are.
      return (try description.signature(named: name).key, 0)
    }
  }

  func inFile<Result>(_ body: () throws(ApusError) -> Result) throws(ApusError) -> Result {
    try naming(path, in: body)
  }
}

/// The result of `body`, whose errors name the file at `path` unless they name one.
package func naming<Result>(
  _ path: String, in body: () throws(ApusError) -> Result
) throws(ApusError) -> Result {
  do {
    return try body()
  } catch {
    throw error.inFile(path)
  }
}
