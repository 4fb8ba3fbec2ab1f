import Evaluation
import Formats
import Foundation
import Graph
import Kernels
import Models
import TensorCore
import TestSupport
import Testing

/// Two graphs side by side: what is compared, and whose error it is.
struct LayerComparisonTests {
  private func report(
    _ baseline: Graph, _ other: Graph, samples: ClosedRange<UInt64> = 1...1, bound: DivergenceBound? = nil
  ) throws -> LayerReport {
    let comparison = try LayerComparison(baseline: LayerSource(baseline), other: LayerSource(other))
    for seed in samples { try comparison.add([LayerNetwork.picture(seed)]) }
    #expect(comparison.sampleCount == samples.count)
    return try comparison.report(bound: bound)
  }

  @Test func everyLayerOfAQuantizedModelIsCompared() throws {
    let network = LayerNetwork()
    let report = try report(network.graph(), network.integer8(), samples: 1...3)
    #expect(report.matched == 5 && report.unmatchedInBaseline == 0 && report.unmatchedInOther == 0)
    let rows = report.rowsInRunOrder
    #expect(rows.map(\.kind) == ["input", "conv2D", "conv2D", "add", "conv2D", "fullyConnected"])
    #expect(rows.map(\.baselineType) == Array(repeating: "float32", count: 6))
    #expect(rows.map(\.otherType) == ["float32"] + Array(repeating: "int8", count: 5))
    #expect(rows[3].baselineLabel == "operator 2 (ADD)" && rows[3].otherLabel == "operator 3 (ADD)")
    #expect(rows[0].signalToNoise == .infinity)
    for row in rows.dropFirst() {
      #expect(row.signalToNoise > 25 && row.signalToNoise < 60, "\(row)")
      #expect(try #require(row.introduced).signalToNoise > 30, "\(row)")
      #expect(row.difference.count == 3 * row.shape.reduce(1, *))
    }
  }

  /// The figures of the model's output are those of two runs on their own.
  @Test func figuresAreThoseOfSeparateRuns() throws {
    let network = LayerNetwork()
    let (float, integer) = (try network.graph(), try network.integer8())
    let row = try #require(try report(float, integer).rowsInRunOrder.last)
    let a = try Compiler.compile(float).run([LayerNetwork.picture()])[0].elements(of: Float.self).map(
      Double.init)
    let b = try Compiler.compile(integer).run([LayerNetwork.picture()])[0].elements(of: Float.self).map(
      Double.init)
    let errors = zip(a, b).map { abs($0 - $1) }
    let squares = { (x: [Double]) in x.reduce(0) { $0 + $1 * $1 } }
    let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(row.signalToNoise - 10 * log10(squares(a) / squares(errors))) < 1e-3)
    #expect(abs(row.cosine - product / (squares(a) * squares(b)).squareRoot()) < 1e-9)
    #expect(abs(row.difference.gain - product / squares(a)) < 1e-6)
    #expect(abs(row.greatestError - (errors.max() ?? 0)) < 1e-5)
    #expect(abs(row.meanError - errors.reduce(0, +) / Double(errors.count)) < 1e-5)
    #expect(abs(row.difference.baselineRange - ((a.max() ?? 0) - (a.min() ?? 0))) < 1e-5)
  }

  /// A doubled scale spoils every layer after it, and is the fault of one.
  @Test(arguments: [0, 1, 3, 4]) func theLayerWithADoubledScaleIsNamed(layer: Int) throws {
    let network = LayerNetwork()
    let report = try report(network.graph(), network.integer8(changed: (layer, 2)))
    let worst = report.rows[0]
    #expect(worst.position == layer)
    #expect(try #require(worst.introduced).signalToNoise < 12)
    let weights = try #require(worst.weights)
    #expect(abs(weights.gain - 2) < 0.02 && weights.signalToNoise < 0.2)
    for row in report.rows.dropFirst() where !row.isInput {
      #expect(try #require(row.introduced).signalToNoise > 25, "\(row)")
      #expect(row.weights.map { abs($0.gain - 1) < 0.02 && $0.signalToNoise > 35 } ?? true)
    }
    let culprit = try #require(report.culprits.first)
    #expect(report.culprits.count == 1 && culprit.kind == .layer && culprit.model == 1)
    #expect(
      culprit.statement.contains(worst.otherLabel) && culprit.statement.contains("its weights are 2 times"))
    #expect(culprit.certainty == .found)
  }

  @Test func aSoundQuantizedModelHasNoCulprit() throws {
    let network = LayerNetwork()
    #expect(try report(network.graph(), network.integer8()).culprits.isEmpty)
  }

  /// Results that the calibration has not seen are told from wrong weights.
  @Test func aRangeThatIsTooNarrowIsSuspected() throws {
    let network = LayerNetwork()
    var ranges = try network.ranges()
    let upper = ranges[2].upperBound
    ranges[2] = ranges[2].lowerBound / 4...upper / 4
    let report = try report(network.graph(), network.graph(.integer8(ranges, changed: nil)))
    let culprit = try #require(report.culprits.first)
    #expect(culprit.certainty == .suspected && culprit.statement.contains("operator 2 (CONV_2D)"))
    #expect(culprit.statement.contains("beyond the range"))
    #expect(try #require(report.rows.first { $0.position == 1 }).outOfRange > 0.2)
  }

  @Test func theFirstDivergenceIsTheFirstInRunOrder() throws {
    let network = LayerNetwork()
    let changed = try network.integer8(changed: (1, 2))
    let report = try report(network.graph(), changed, bound: .reduced)
    let divergence = try #require(report.firstDivergence)
    #expect(report.rows[divergence.row].position == 1)
    #expect(divergence.bound == "SQNR below 10 dB")
    let strict = try self.report(
      network.graph(), network.integer8(), bound: DivergenceBound(greatestRelativeError: 1e-4))
    let first = try #require(strict.firstDivergence)
    #expect(strict.rows[first.row].position == 0 && first.bound == "an error above 0.01 % of the range")
    #expect(try self.report(network.graph(), network.integer8(), bound: .reduced).firstDivergence == nil)
  }

  /// A layer with a weight that is no number comes first, and is none that is the same.
  @Test func numbersThatAreNoneAreTheWorst() throws {
    let sound = try LayerNetwork().graph()
    var broken = sound
    let weights = try #require(broken.nodes[1].inputs[1])
    let tensor = try #require(broken[weights].constant)
    var numbers = try tensor.floats()
    numbers[0] = .nan
    broken[weights].constant = try Tensor(numbers, shape: tensor.shape)
    let report = try report(sound, broken, bound: .float32)
    let worst = report.rows[0]
    #expect(worst.position == 1 && worst.signalToNoise == -.infinity && worst.cosine.isNaN)
    #expect(try #require(worst.introduced).notFinite > 0 && worst.weights?.notFinite == 1)
    #expect(report.firstDivergence?.row == 0)
    let culprit = try #require(report.culprits.first)
    #expect(report.culprits.count == 1 && culprit.certainty == .found)
    #expect(culprit.statement.contains("1 number of its weights is finite on one side only"))
  }

  /// Integers do not depend on the instruction set, to the last bit; floats only by rounding.
  @Test func instructionSetsAgree() throws {
    let network = LayerNetwork()
    for kernels in KernelSet.available {
      var options = CompileOptions()
      options.kernels = kernels
      for (graph, least) in [(try network.integer8(), Double.infinity), (try network.graph(), 110)] {
        let comparison = try LayerComparison(
          baseline: LayerSource(graph), other: LayerSource(graph, options), fusesOperations: true)
        try comparison.add([LayerNetwork.picture()])
        let report = try comparison.report(bound: .float32)
        #expect(report.firstDivergence == nil && report.unmatchedInOther == 0)
        for row in report.rows {
          #expect(row.signalToNoise >= least && row.weights == nil, "\(kernels.name) \(row)")
        }
      }
    }
  }

  /// At another precision only products make errors of their own.
  @Test(arguments: [Precision.int8, .bfloat16].filter(\.isAvailable)) func onlyProductsAreLessPrecise(
    precision: Precision
  ) throws {
    let folder = try ModelFolder(Checkout.modelFolder("vit"))
    let tower = try #require(try ModelArchitecture.load(folder).image)
    let graph = try tower.graph(batch: 1)
    var options = CompileOptions()
    options.precision = precision
    let comparison = try LayerComparison(baseline: LayerSource(graph), other: LayerSource(graph, options))
    var random = SeededRandom()
    let shape = graph[graph.inputs[0]].type.shape
    try comparison.add([Tensor(random.floats(shape.elementCount), shape: shape)])
    let report = try comparison.report(bound: .reduced)
    #expect(report.matched == graph.nodes.count && report.culprits.isEmpty && report.firstDivergence == nil)
    for row in report.rows where !row.isInput {
      let own = try #require(row.introduced).signalToNoise
      let isProduct = ["linear", "attention"].contains(row.kind)
      #expect(isProduct ? own > 30 : own == .infinity, "\(row)")
    }
    if precision == .int8 { #expect(report.rows[0].signalToNoise < 70) }
  }

  /// Fused nodes are compared by what they leave.
  @Test func fusedLayersAreCompared() throws {
    let network = LayerNetwork()
    let comparison = try LayerComparison(
      baseline: LayerSource(network.graph()), other: LayerSource(network.integer8()), fusesOperations: true)
    try comparison.add([LayerNetwork.picture()])
    let rows = try comparison.report().rowsInRunOrder
    #expect(rows.map(\.kind) == ["input", "conv2D", "conv2D", "conv2D", "fullyConnected"])
    #expect(rows[2].baselineLabel == "operator 1 (CONV_2D) + operator 2 (ADD)")
    #expect(rows[2].otherLabel == "operator 3 (ADD)")
  }

  /// Wrong inputs show as such, and are nobody else's fault.
  @Test func layersAreNotBlamedForTheirInputs() throws {
    let network = LayerNetwork()
    let graph = try network.graph()
    let comparison = try LayerComparison(baseline: LayerSource(graph), other: LayerSource(graph))
    let picture = try LayerNetwork.picture()
    let halved = try Tensor(picture.floats().map { $0 / 2 }, shape: picture.shape)
    try comparison.add([picture], other: [halved])
    let rows = try comparison.report().rowsInRunOrder
    #expect(abs(rows[0].difference.gain - 0.5) < 1e-6 && rows[0].isInput)
    for row in rows.dropFirst() {
      #expect(row.signalToNoise < 30 && row.introduced?.signalToNoise == .infinity, "\(row)")
    }
  }

  @Test func inputsOfOtherShapesAreRefused() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", TensorType(.float32, try Shape([1, 2])))
    builder.output(try builder.add(Relu(.relu), [x], results: [.init("y")], label: "relu")[0])
    let other = builder.graph
    let error = #expect(throws: ApusError.self) {
      try LayerComparison(baseline: LayerSource(LayerNetwork().graph()), other: LayerSource(other))
    }
    #expect(error?.kind == .argument)
  }
}
