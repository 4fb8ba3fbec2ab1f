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
  func graph(inputShapes: [Int: Shape], inputValues: [Int: Tensor] = [:]) throws(ApusError) -> Graph {
    let shapes = try pictureShapes().merging(inputShapes) { $1 }.map {
      (TFLiteInputReference.position($0.key), $0.value)
    }
    return try file.importer.graph(
      signature: signature, subgraph: subgraph, inputShapes: Dictionary(uniqueKeysWithValues: shapes),
      inputValues: inputValues)
  }

  /// The shape of a picture whose height or width the file leaves open, by the position of its input: where the metadata
  /// say a size, it is that.
  private func pictureShapes() throws(ApusError) -> [Int: Shape] {
    let interface = try interface()
    guard interface.inputs.count == 1, interface.subgraph == 0 else { return [:] }
    let tensor = file.description.subgraphs[0].tensors[interface.inputs[0].tensor]
    guard tensor.shapeSignature.count == 4, tensor.shapeSignature[1...2].contains(where: { $0 < 0 }),
      case .image(_, let size?) = try file.metadata()?.subgraphs.first?.inputs.first?.content,
      size.height > 0, size.width > 0
    else { return [:] }
    var extents = tensor.shape.dimensions
    for (axis, extent) in [(1, size.height), (2, size.width)] where tensor.shapeSignature[axis] < 0 {
      extents[axis] = extent
    }
    return [0: try Shape(extents)]
  }

  /// What goes in and comes out, with all names: outputs that are one value of the graph have its one name there.
  func interface() throws(ApusError) -> TFLiteInterface {
    try file.description.interface(signature: signature, subgraph: subgraph)
  }

  /// Whether Apus has all operators in it.
  func hasOperators() throws(ApusError) -> Bool {
    try file.importer.hasOperators(of: interface().subgraph)
  }

  func inputs() throws(ApusError) -> [TensorDescription] {
    try stated(interface().inputs, shapes: pictureShapes())
  }

  /// As the graph has them; as the file states them where there is no graph before the elements of inputs are known.
  func outputs() throws(ApusError) -> [TensorDescription] {
    let ports = try interface().outputs
    let stated = try stated(ports)
    guard let graph = try? graph(.single) else { return stated }
    return zip(ports, zip(stated, graph.outputs)).map { port, output in
      let (stated, value) = output
      let type = graph[value].type
      let isLike = stated.extents.count == type.shape.rank
      let free = stated.extents.indices.filter { isLike && stated.extents[$0].isFree }
      return TensorDescription(port.name, innerName: port.tensorName, type, freeAxes: Set(free))
    }
  }

  /// - Parameter shapes: those that count for ones that the file leaves open, by position.
  private func stated(
    _ ports: [TFLitePort], shapes: [Int: Shape] = [:]
  ) throws(ApusError) -> [TensorDescription] {
    let tensors = file.description.subgraphs[try interface().subgraph].tensors
    var described: [TensorDescription] = []
    for (position, port) in ports.enumerated() {
      let tensor = tensors[port.tensor]
      guard var type = tensor.tensorType else {
        throw ApusError(.unsupportedModel, "elements of type \(tensor.type.name)", at: tensor.label)
      }
      if let shape = shapes[position] {
        type = TensorType(type.dataType, shape, quantization: type.quantization)
      }
      let free = tensor.shapeSignature.indices.filter { tensor.shapeSignature[$0] < 0 }
      described.append(
        TensorDescription(port.name, innerName: port.tensorName, type, freeAxes: Set(free)))
    }
    return described
  }

  func runner(path: String, _ options: ModelOptions) -> any NetworkRunning {
    FileRunner(self, path: path, options)
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
    if !model.signatures.contains(where: { ExactText($0.key) == ExactText(name) }),
      let subgraph = try? model.subgraph(named: name)
    {
      self.init(file, named: name, subgraph: subgraph.index)
    } else {
      let signature = try naming(file.path) { () throws(ApusError) in try model.signature(named: name) }
      self.init(file, named: name, signature: signature.key)
    }
  }
}
