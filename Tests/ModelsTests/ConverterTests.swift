import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// Networks as converters spell them out: what is found in them, and that it gives what LiteRT's reference kernels give.
@Suite struct ConverterTests {
  private struct Expected: Decodable {
    let inputs: [[Double]]
    let outputs: [[Float]]
  }

  struct Network: CustomTestStringConvertible, Sendable {
    let name: String
    /// How often each of the operations is there that take the place of others.
    let found: [String: Int]
    /// Operations that nothing takes the place of, of those that it could.
    var left: Set<String> = []
    var testDescription: String { name }
  }

  static let networks = [
    Network(name: "gelu_factored", found: ["linear": 1]),
    Network(name: "gelu_multiplied", found: ["linear": 1]),
    Network(name: "gelu_sigmoid", found: ["linear": 1]),
    // The layer before does it as it stores.
    Network(name: "hard_swish", found: ["linear": 1]),
    Network(name: "layer_norm_divided", found: ["layerNormalization": 1]),
    Network(name: "layer_norm_multiplied_out", found: ["layerNormalization": 1]),
    Network(name: "rms_norm", found: ["rmsNormalization": 1]),
    Network(
      name: "keras_text", found: ["attention": 1, "layerNormalization": 2, "linear": 3], left: ["softmax"]),
    Network(
      name: "keras_image",
      found: ["attention": 1, "layerNormalization": 1, "rmsNormalization": 1, "linear": 3],
      left: ["reduceMean"]),
    Network(name: "torch_bert_eager", found: ["attention": 1, "layerNormalization": 5, "linear": 3]),
    Network(name: "torch_bert_sdpa", found: ["attention": 1, "layerNormalization": 5, "linear": 3]),
    Network(
      name: "torch_vit", found: ["attention": 1, "layerNormalization": 3, "linear": 3], left: ["transpose"]),
    Network(name: "torch_encoder", found: ["attention": 1, "layerNormalization": 2, "linear": 3]),
    Network(name: "torch_attention", found: ["attention": 1]),
    Network(name: "torch_attention_causal", found: ["attention": 1]),
    Network(name: "torch_pooling", found: [:], left: ["transpose"]),
    // Attention whose queries and keys are multiplied by a layer with computed weights stays as it is spelled.
    Network(
      name: "torch_one_head", found: ["layerNormalization": 3, "linear": 2],
      left: ["batchMatMul", "softmax", "slice", "transpose"]),
    Network(
      name: "torch_image", found: ["layerNormalization": 1, "geluTanh": 1],
      left: ["transpose", "reduceMean"]),
  ]

  private static let fusions: Set = [
    "attention", "layerNormalization", "rmsNormalization", "linear", "hardSwish", "gelu", "geluTanh",
    "geluSigmoid",
  ]
  private static let spellings: Set = [
    "batchMatMul", "softmax", "reduceMean", "squaredDifference", "rsqrt", "tanh", "logistic", "minimum",
    "transpose",
    "slice",
  ]

  @Test(arguments: networks) func networksAreRecognized(_ network: Network) throws {
    let expected = try #require(
      JSONDecoder().decode(
        [String: Expected].self, from: Data(contentsOf: Checkout.fixture("converters/expected.json")))[
          network.name])
    let graph = try TFLiteLoader.load(Checkout.fixture("converters/\(network.name).tflite").path)
      .graph()
    let inputs = try zip(graph.inputs, expected.inputs).map { try tensor($1, graph[$0].type) }
    var options = CompileOptions()
    for fuses in [true, false] {
      options.fusesOperations = fuses
      let model = try Compiler.compile(graph, options)
      for (found, wanted) in zip(try model.run(inputs), expected.outputs) {
        let difference = Tensor.difference(try found.elements(of: Float.self), wanted, .float32)
        #expect(difference == nil, "fused: \(fuses)")
      }
      guard fuses else { continue }
      let names = model.graph.nodes.map(\.operation.name)
      let counts = Dictionary(names.filter(Self.fusions.contains).map { ($0, 1) }, uniquingKeysWith: +)
      #expect(counts == network.found)
      #expect(Set(names).intersection(Self.spellings) == network.left)
    }
  }

  private func tensor(_ numbers: [Double], _ type: TensorType) throws -> Tensor {
    switch type.dataType {
    case .int32: try Tensor(numbers.map { Int32($0) }, shape: type.shape)
    case .int64: try Tensor(numbers.map { Int64($0) }, shape: type.shape)
    default: try Tensor(numbers.map { Float($0) }, shape: type.shape)
    }
  }
}
