import Apus
import Formats
import Graph
import Kernels
import Networks
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// The bytes of matrices and filters are said as they are packed for each precision.
@Suite struct PackedSizeTests {
  private static let precisions = Precision.allCases.filter(\.isAvailable)
  private static let folders = ["resnet", "mobilenetv2", "convnext"]

  /// Bytes less than in float32 for each weight.
  private func savedBytes(_ precision: Precision) -> Int {
    switch precision {
    case .float32: 0
    case .bfloat16: 2
    case .int8: 3
    }
  }

  /// What is saved is that of all matrices and filters, but for the filters of pixels and those of single channels.
  @Test(arguments: folders, precisions)
  func filtersTakeThePrecision(_ name: String, _ precision: Precision) throws {
    let path = Checkout.modelFolder(name)
    let tensors = try ModelFolder(path).weights()
    let shapes = tensors.names.compactMap { tensors[$0]?.shape }
    let narrow = shapes.filter { $0.count == 2 || $0.count == 4 && $0[1] > 4 }
    let elements = narrow.reduce(0) { $0 + $1.reduce(1, *) }
    let saved = elements * savedBytes(precision)
    let size = NetworkSize(try OpenedModel(path).networks[0].graph())
    #expect(size.weightBytes(in: .float32) - size.weightBytes(in: precision) == saved)
    var options = ImageClassifier.Options()
    options.inference = InferenceOptions(precision: precision)
    let float32 = try ModelSize.byteCount(path, as: ImageClassifier.self, .init())
    let asked = try ModelSize.byteCount(path, as: ImageClassifier.self, options)
    #expect(elements > 0 && float32 - asked == saved)
  }

  /// The formats that are said are those of the products.
  @Test(arguments: folders, precisions)
  func formatsAreThoseOfProducts(_ name: String, _ precision: Precision) throws {
    let graph = try OpenedModel(Checkout.modelFolder(name)).networks[0].graph()
    var said: Set<String> = []
    for node in graph.nodes {
      let format = node.operation.packedFormat(graph.operands(of: node), precision, .best)
      if let format { said.insert("\(node.operation.name) \(format.rawValue)") }
    }
    var options = CompileOptions()
    options.precision = precision
    let products = try Compiler.compile(graph, options).products
    var found: Set<String> = []
    for product in products {
      for operation in product.operations where operation == "conv2D" || operation == "linear" {
        found.insert("\(operation) \(product.numbers.rawValue)")
      }
    }
    #expect(said.count > 1 && said == found)
  }

  /// Whole panels of long columns take what was said, but for their headers and tables. Those of fixtures are mostly
  /// filled up.
  @Test(arguments: precisions) func panelsTakeWhatWasSaid(_ precision: Precision) throws {
    var builder = GraphBuilder()
    func weights(_ dimensions: [Int]) throws -> Value {
      let shape = try Shape(dimensions)
      let elements = [Float](repeating: 0.5, count: shape.elementCount)
      return builder.constant("weights", try Tensor(elements, shape: shape))
    }
    let image = builder.input("image", TensorType(.float32, try Shape([1, 8, 8, 128])))
    let filters = [try weights([128, 3, 3, 128]), try weights([512, 1, 1, 128])]
    let matrix = try weights([128, 512])
    let wide = try builder.add(
      Convolution2D(padding: .same), [image, filters[0]], results: [.init("wide")], label: "wide")[0]
    let pointwise = try builder.add(
      Convolution2D(padding: .valid), [wide, filters[1]], results: [.init("point")], label: "point")[0]
    let result = try builder.add(
      Linear(hasBias: false), [pointwise, matrix], results: [.init("result")], label: "linear")[0]
    builder.output(result)
    var options = CompileOptions()
    options.precision = precision
    let said = NetworkSize(builder.graph).weightBytes(in: precision)
    let taken = try Compiler.compile(builder.graph, options).weightByteCount
    #expect(Double(abs(said - taken)) < 0.1 * Double(taken), "\(said) said, \(taken) taken")
  }
}
