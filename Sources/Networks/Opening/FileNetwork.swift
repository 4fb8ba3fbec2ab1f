import Formats
import Graph
import Models
import TensorCore

/// A signature or subgraph of a `.tflite` file.
struct FileNetwork: NetworkBody {
  let file: ModelFile
  /// The signature's key; nil for a subgraph.
  let signature: String?
  let subgraph: Int

  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph { try graph(inputShapes: [:]) }

  /// - Parameters:
  ///   - inputShapes: shapes other than those in the file, by the input's position.
  ///   - inputValues: elements that inputs shall have in every run, by the input's position: for models in which
  ///     shapes depend on them.
  private func graph(
    inputShapes: [Int: Shape], inputValues: [Int: Tensor] = [:]
  ) throws(ApusError) -> Graph {
    let shapes = inputShapes.map { (TFLiteInputReference.position($0.key), $0.value) }
    return try file.importer.graph(
      signature: signature, subgraph: subgraph, inputShapes: Dictionary(uniqueKeysWithValues: shapes),
      inputValues: inputValues)
  }

  private func interface() throws(ApusError) -> TFLiteInterface {
    try file.description.interface(signature: signature, subgraph: subgraph)
  }

  func inputs() throws(ApusError) -> [NetworkInput] {
    try interface().inputs.map { NetworkInput($0.name, innerName: $0.tensorName) }
  }

  /// The run on inputs whose shapes may differ from those in the file, or whose elements decide shapes inside it.
  func runs(_ tensors: [Tensor?], path: String, _ options: ModelOptions) throws(ApusError) -> PreparedRuns {
    let interface = try interface()
    let inputs = tensors.compactMap(\.self)
    let stated = interface.inputs.map { file.description.subgraphs[interface.subgraph].tensors[$0.tensor] }
    var shapes: [Int: Shape] = [:]
    for (position, tensor) in inputs.enumerated() where stated[position].shape != tensor.shape {
      shapes[position] = tensor.shape
    }
    let model: Model
    do throws(ApusError) {
      model = try Model(path: path, graph: graph(inputShapes: shapes), options: options)
    } catch {
      if error.kind == .unsupportedModel, let specialized = specialized(inputs, shapes, path, options) {
        model = specialized
      } else if error.kind == .malformedModel, let (position, shape) = shapes.min(by: { $0.key < $1.key }) {
        throw ApusError(
          .argument, "a tensor of shape \(shape)", expected: "\(stated[position].shape)",
          at: "input \(position) '\(interface.inputs[position].name)'",
          advice: "With the shape given, \(error.location ?? "the model") fails: \(error.problem).")
      } else {
        throw error
      }
    }
    return PreparedRuns(PreparedRun(model: model, inputs: inputs))
  }

  /// The model for the very elements of its small inputs, which may be what its shapes are computed from; nil when
  /// that does not help either.
  private func specialized(
    _ inputs: [Tensor], _ shapes: [Int: Shape], _ path: String, _ options: ModelOptions
  ) -> Model? {
    let small = inputs.enumerated().filter { $0.element.shape.elementCount <= 64 }
    guard !small.isEmpty else { return nil }
    let values = Dictionary(uniqueKeysWithValues: small.map { ($0.offset, $0.element) })
    guard let graph = try? graph(inputShapes: shapes, inputValues: values) else { return nil }
    return try? Model(path: path, graph: graph, options: options)
  }
}

extension Network {
  init(_ file: ModelFile, named name: String, signature: String? = nil, subgraph: Int = 0) {
    self.init(
      named: name, path: file.path, FileNetwork(file: file, signature: signature, subgraph: subgraph))
  }

  /// A signature by its key, or else a subgraph by its name or position.
  /// - Throws: ``ApusError`` of kind `argument` that lists the signatures when there is neither.
  init(_ file: ModelFile, called name: String) throws(ApusError) {
    let model = file.description
    if !model.signatures.contains(where: { $0.key == name }),
      let subgraph = try? model.subgraph(named: name)
    {
      self.init(file, named: name, subgraph: subgraph.index)
    } else {
      let signature = try naming(file.path) { () throws(ApusError) in try model.signature(named: name) }
      self.init(file, named: name, signature: signature.key)
    }
  }
}
