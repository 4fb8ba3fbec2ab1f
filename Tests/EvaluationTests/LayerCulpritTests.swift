import Evaluation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// Trained models of which one layer is broken on purpose.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data")) struct LayerCulpritTests {
  /// The scale of one layer's weights is doubled: that layer is named, for sure, and no other for sure.
  @Test(arguments: [
    ("mlperf_tiny/pretrainedResnet", "mlperf_tiny/pretrainedResnet_quant", 255 as Float, 1),
    ("mlperf_tiny/vww_96_float", "mlperf_tiny/vww_96_int8", 1, 9),
    ("imagenet/t2o_mobilenet_v1_0.25_128", "imagenet/t2o_mobilenet_v1_0.25_128_quant", 1, 9),
  ])
  func theBrokenLayerIsNamed(baseline: String, other: String, greatest: Float, every step: Int) throws {
    let (float, integer) = (try graph(baseline), try graph(other))
    let shape = float[float.inputs[0]].type.shape
    var random = SeededRandom()
    let picture = try Tensor(random.floats(shape.elementCount, 0...greatest), shape: shape)
    let layers = integer.nodes.indices.filter {
      integer.operands(of: integer.nodes[$0]).constant(1)?.quantization != nil
    }
    #expect(layers.count >= 10)
    for layer in layers.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
      let comparison = try LayerComparison(
        baseline: LayerSource(float), other: LayerSource(doubled(integer, layer)))
      try comparison.add([picture])
      let report = try comparison.report()
      let sure = report.culprits.filter { $0.certainty == .found }
      let label = integer.nodes[layer].label
      #expect(sure.count == 1 && sure[0].statement.contains(label), "\(label): \(report.culprits)")
      #expect(sure.first?.statement.contains("its weights are") ?? false)
    }
  }

  private func graph(_ name: String) throws -> Graph {
    try TFLiteLoader.load(SharedData.path("tflite/\(name).tflite")).graph()
  }

  /// The graph with the scales of a node's weights doubled.
  private func doubled(_ graph: Graph, _ node: Int) throws -> Graph {
    var graph = graph
    guard let weights = graph.nodes[node].inputs[1], let tensor = graph[weights].constant,
      let quantization = tensor.quantization
    else { return graph }
    let type = TensorType(
      tensor.dataType, tensor.shape,
      quantization: try Quantization(
        scales: quantization.scales.map { 2 * $0 }, zeroPoints: quantization.zeroPoints,
        axis: quantization.axis))
    graph[weights].type = type
    graph[weights].constant = try tensor.reinterpreted(as: type)
    return graph
  }
}
