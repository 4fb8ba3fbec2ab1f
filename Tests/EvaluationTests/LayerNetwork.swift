import Evaluation
import Formats
import Graph
import Models
import TensorCore
import TestSupport

typealias Builder = TFLiteModelBuilder

/// A small residual network of random weights, in the forms that converters write.
struct LayerNetwork {
  enum Form {
    case float
    /// ReLU as operators of their own.
    case separateActivations
    /// int8 between QUANTIZE and DEQUANTIZE, with these ranges for the input and each layer, and the scale of one
    /// layer's weights multiplied by a factor.
    case integer8([ClosedRange<Float>], changed: (layer: Int, factor: Float)?)
  }

  enum Kind {
    case convolution(size: Int, outputs: Int)
    case addition
    case fullyConnected(outputs: Int)
  }

  struct Layer {
    var kind: Kind
    /// Positions of layers, −1 for the input.
    var operands: [Int]
    /// The number by which TFLite knows the fused activation: 1 relu, 3 relu6.
    var activation: Int8 = 0
  }

  var layers = [
    Layer(kind: .convolution(size: 3, outputs: 8), operands: [-1], activation: 1),
    Layer(kind: .convolution(size: 3, outputs: 8), operands: [0]),
    Layer(kind: .addition, operands: [0, 1], activation: 1),
    Layer(kind: .convolution(size: 1, outputs: 12), operands: [2], activation: 3),
    Layer(kind: .fullyConnected(outputs: 5), operands: [3]),
  ]
  /// Where the random weights of each layer come from, so that layers may change places.
  var seeds: [UInt64] = [11, 12, 13, 14, 15]

  static let size = 6

  func importer(_ form: Form) throws -> TFLiteImporter {
    let bytes = builder(form).build()
    return TFLiteImporter(try TFLiteModel(bytes))
  }

  func graph(_ form: Form = .float) throws -> Graph { try importer(form).graph() }

  static func picture(_ seed: UInt64 = 1) throws -> Tensor {
    var random = SeededRandom(seed: seed)
    return try Tensor(random.floats(size * size * 3), shape: Shape([1, size, size, 3]))
  }

  /// The ranges of the input and the results of the layers in the float form, for three pictures.
  func ranges() throws -> [ClosedRange<Float>] {
    var options = CompileOptions()
    options.fusesOperations = false
    let model = try Compiler.compile(graph(), options)
    let workspace = try model.makeWorkspace()
    var numbers = [[Float]](repeating: [0], count: 1 + model.graph.nodes.count)
    for seed: UInt64 in 1...3 {
      let picture = try Self.picture(seed)
      numbers[0] += try picture.floats()
      try workspace.setInputs([picture])
      for (index, node) in model.graph.nodes.enumerated() {
        try workspace.run(nodes: index..<(index + 1))
        numbers[index + 1] += try workspace.tensor(node.outputs[0]).floats()
      }
    }
    return numbers.map { ($0.min() ?? 0)...($0.max() ?? 0) }
  }

  func integer8(changed: (layer: Int, factor: Float)? = nil) throws -> Graph {
    try graph(.integer8(ranges(), changed: changed))
  }
}

extension LayerNetwork {
  private func builder(_ form: Form) -> TFLiteModelBuilder {
    var writer = LayerNetworkWriter(form)
    var shapes: [[Int32]] = []
    var values: [Int32] = []
    for (index, layer) in layers.enumerated() {
      let operands = layer.operands.map { $0 < 0 ? writer.input : values[$0] }
      let shape = layer.operands[0] < 0 ? writer.inputShape : shapes[layer.operands[0]]
      var random = SeededRandom(seed: seeds[index])
      switch layer.kind {
      case .convolution(let size, let outputs):
        let weights = random.floats(outputs * size * size * Int(shape[3]))
        shapes.append([1, shape[1], shape[2], Int32(outputs)])
        values.append(
          writer.linear(
            3, [Int32(outputs), Int32(size), Int32(size), shape[3]], weights, operands[0], shapes[index],
            layer: index, .init(1, [0: .int8(0), 1: .int32(1), 2: .int32(1)]), slot: 3, layer.activation))
      case .fullyConnected(let outputs):
        let depth = shape.reduce(1, *)
        shapes.append([1, Int32(outputs)])
        values.append(
          writer.linear(
            9, [Int32(outputs), depth], random.floats(outputs * Int(depth)), operands[0], shapes[index],
            layer: index, .init(8), slot: 0, layer.activation))
      case .addition:
        shapes.append(shape)
        values.append(writer.add(0, operands, shape, layer: index, .init(11), slot: 0, layer.activation))
      }
    }
    return writer.finished(values[values.count - 1], shapes[shapes.count - 1])
  }
}
