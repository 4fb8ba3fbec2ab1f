import Formats
import Graph
import TensorCore

/// A signature or subgraph of a `.tflite` file.
package struct TFLiteNetwork: GraphImporter {
  private let importer: TFLiteImporter
  /// The signature's key; nil for a subgraph.
  private let signature: String?
  private let subgraph: Int

  package init(_ importer: TFLiteImporter, signature: String? = nil, subgraph: Int = 0) {
    (self.importer, self.signature, self.subgraph) = (importer, signature, subgraph)
  }

  package func interface() throws(ApusError) -> ImportedInterface {
    let ways = try ways()
    let inputs = try ports(ways.inputs, in: ways.subgraph, shapes: pictureShapes(ways))
    return ImportedInterface(inputs: inputs, outputs: try ports(ways.outputs, in: ways.subgraph))
  }

  package func graph(shapes: [Int: Shape], values: [Int: Tensor]) throws(ApusError) -> Graph {
    let shapes = try pictureShapes(ways()).merging(shapes) { $1 }.map {
      (TFLiteInputReference.position($0.key), $0.value)
    }
    return try importer.graph(
      signature: signature, subgraph: subgraph, inputShapes: Dictionary(uniqueKeysWithValues: shapes),
      inputValues: values)
  }

  package func hasOperators() throws(ApusError) -> Bool { try importer.hasOperators(of: ways().subgraph) }

  private func ways() throws(ApusError) -> TFLiteInterface {
    try importer.model.interface(signature: signature, subgraph: subgraph)
  }

  /// The shape of a picture whose height or width the file leaves open, by the position of its input: where the metadata
  /// say a size, it is that.
  private func pictureShapes(_ ways: TFLiteInterface) throws(ApusError) -> [Int: Shape] {
    guard ways.inputs.count == 1, ways.subgraph == 0 else { return [:] }
    let tensor = importer.model.subgraphs[0].tensors[ways.inputs[0].tensor]
    guard tensor.shapeSignature.count == 4, tensor.shapeSignature[1...2].contains(where: { $0 < 0 }),
      case .image(_, let size?) = try TFLiteMetadata(of: importer.model)?.subgraphs.first?.inputs.first?
        .content,
      size.height > 0, size.width > 0
    else { return [:] }
    var extents = tensor.shape.dimensions
    for (axis, extent) in [(1, size.height), (2, size.width)] where tensor.shapeSignature[axis] < 0 {
      extents[axis] = extent
    }
    return [0: try Shape(extents)]
  }

  /// - Parameter shapes: those that count for ones that the file leaves open, by position.
  private func ports(
    _ ports: [TFLitePort], in subgraph: Int, shapes: [Int: Shape] = [:]
  ) throws(ApusError) -> [ImportedPort] {
    let tensors = importer.model.subgraphs[subgraph].tensors
    var described: [ImportedPort] = []
    for (position, port) in ports.enumerated() {
      let tensor = tensors[port.tensor]
      var type = try tensor.requireType()
      if let shape = shapes[position] {
        type = TensorType(type.dataType, shape, quantization: type.quantization)
      }
      let free = tensor.shapeSignature.indices.filter { tensor.shapeSignature[$0] < 0 }
      described.append(
        ImportedPort(name: port.name, innerName: port.tensorName, type: type, freeAxes: Set(free)))
    }
    return described
  }
}
