import Evaluation
import Graph
import TensorCore
import Testing

/// Which layers of two forms of a model are the same.
struct LayerAlignmentTests {
  private func labels(_ alignment: LayerAlignment, _ baseline: Graph, _ other: Graph) -> [[String]] {
    alignment.pairs.filter { !$0.otherNodes.isEmpty }.map { pair in
      for (value, counterpart) in [(pair.baseline, pair.other)] {
        #expect(baseline[value].type.shape == other[counterpart].type.shape)
      }
      return [
        pair.baselineNodes.map { "\($0)" }.joined(separator: "+"),
        pair.otherNodes.map { "\($0)" }.joined(separator: "+"),
      ]
    }
  }

  @Test func separateActivationsBelongToTheirLayer() throws {
    let network = LayerNetwork()
    let (separate, integer) = (try network.graph(.separateActivations), try network.integer8())
    let alignment = try LayerAlignment(separate, integer)
    #expect(
      labels(alignment, separate, integer) == [
        ["0+1", "1"], ["2", "2"], ["3+4", "3"], ["5+6", "4"], ["7", "5"],
      ])
    #expect(alignment.unmatchedInBaseline.isEmpty && alignment.unmatchedInOther.isEmpty)
    let comparison = try LayerComparison(baseline: LayerSource(separate), other: LayerSource(integer))
    try comparison.add([LayerNetwork.picture()])
    for row in try comparison.report().rows { #expect(row.signalToNoise > 25, "\(row)") }
  }

  /// The order in which branches run is no part of a model.
  @Test func branchesMayRunInAnotherOrder() throws {
    var network = LayerNetwork()
    network.layers = [
      .init(kind: .convolution(size: 3, outputs: 8), operands: [-1]),
      .init(kind: .convolution(size: 1, outputs: 8), operands: [-1], activation: 1),
      .init(kind: .addition, operands: [0, 1]),
      .init(kind: .fullyConnected(outputs: 5), operands: [2]),
    ]
    let first = try network.graph()
    network.layers.swapAt(0, 1)
    network.seeds.swapAt(0, 1)
    let second = try network.graph()
    let alignment = try LayerAlignment(first, second)
    #expect(Set(labels(alignment, first, second)) == [["0", "1"], ["1", "0"], ["2", "2"], ["3", "3"]])
    let comparison = try LayerComparison(baseline: LayerSource(first), other: LayerSource(second))
    try comparison.add([LayerNetwork.picture()])
    for row in try comparison.report().rows { #expect(row.signalToNoise > 100, "\(row)") }
  }

  /// A layer that only one model has is nobody's counterpart, and those around it still are theirs.
  @Test func anAdditionalLayerStaysAlone() throws {
    var network = LayerNetwork()
    let short = try network.graph()
    network.layers.insert(.init(kind: .convolution(size: 5, outputs: 12), operands: [3]), at: 4)
    network.seeds.insert(99, at: 4)
    network.layers[5].operands = [4]
    let long = try network.graph()
    let alignment = try LayerAlignment(short, long)
    #expect(alignment.unmatchedInBaseline.isEmpty && alignment.unmatchedInOther == [4])
    #expect(labels(alignment, short, long).map { $0[1] } == ["0", "1", "2", "3", "5"])
  }

  /// Convolutions with filters of other extents are other layers, whatever shape they give.
  @Test func otherWeightsAreOtherLayers() throws {
    var network = LayerNetwork()
    let wide = try network.graph()
    network.layers[1].kind = .convolution(size: 1, outputs: 8)
    let narrow = try network.graph(.separateActivations)
    let alignment = try LayerAlignment(wide, narrow)
    #expect(alignment.unmatchedInBaseline == [1] && alignment.unmatchedInOther == [2])
  }

  @Test func modelsOfNothingInCommonMatchNothing() throws {
    var network = LayerNetwork()
    let first = try network.graph()
    network.layers = [.init(kind: .fullyConnected(outputs: 7), operands: [-1])]
    let alignment = try LayerAlignment(first, network.graph())
    #expect(alignment.pairs.count == 1 && alignment.unmatchedInBaseline.count == 5)
  }
}
