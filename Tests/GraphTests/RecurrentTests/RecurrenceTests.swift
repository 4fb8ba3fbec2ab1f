import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Recurrent layers with weights that are known, packed for kernels, equal those with weights that come with each run; sequences
/// that end keep their state; and what does not fit is refused.
@Suite struct RecurrenceTests {
  private static let cells: [(cell: RecurrentCell, activations: [RecurrentActivation])] = [
    (.longShortTerm(couplesGates: false), [.sigmoid, .tanh, .tanh]),
    (.longShortTerm(couplesGates: true), [.hardSigmoid(alpha: 0.2, beta: 0.5), .softsign, .elu(alpha: 0.7)]),
    (.gated(resetsProduct: false), [.sigmoid, .tanh]), (.gated(resetsProduct: true), [.sigmoid, .relu]),
    (.simple, [.tanh]),
  ]

  private struct Case {
    var layer: Recurrence
    var tensors: [Tensor?]

    init(_ random: inout SeededRandom, _ index: Int) throws {
      let (cell, activations) = RecurrenceTests.cells[index]
      let (steps, batch, size) = (
        Int.random(in: 1...5, using: &random), Int.random(in: 1...4, using: &random),
        Int.random(in: 1...19, using: &random)
      )
      func numbers(_ shape: [Int]) throws -> Tensor {
        let count = shape.reduce(1, *)
        return try Tensor((0..<count).map { _ in Float.random(in: -1...1, using: &random) }, shape: shape)
      }
      let columns = cell.gates * size
      let lengths = (0..<batch).map { _ in Int32.random(in: 0...Int32(steps), using: &random) }
      tensors = [
        try numbers([steps, batch, columns]), try numbers([columns, size]), try numbers([batch, size]),
        try numbers([batch, size]), cell.hasMemory ? try numbers([3 * size]) : nil,
        index == 3 ? try numbers([size]) : nil, try Tensor(lengths), nil,
      ]
      layer = Recurrence(
        cell, activations: activations, limit: Bool.random(using: &random) ? 0.8 : .infinity,
        isReversed: Bool.random(using: &random))
    }

    /// - Parameter isKnown: whether the weights are a constant of the graph.
    func run(isKnown: Bool, _ kernels: KernelSet) throws -> [Tensor] {
      var builder = GraphBuilder()
      var inputs: [Tensor] = []
      var values: [Value?] = []
      for (index, tensor) in tensors.enumerated() {
        guard let tensor else {
          values.append(nil)
          continue
        }
        if index == 1, isKnown {
          values.append(builder.constant("weights", tensor))
        } else {
          values.append(builder.input("\(index)", tensor.type))
          inputs.append(tensor)
        }
      }
      let count = layer.cell.hasMemory ? 3 : 2
      let results = try builder.add(
        layer, values, results: (0..<count).map { .init("\($0)") }, label: "layer")
      for result in results { builder.output(result) }
      var options = CompileOptions()
      options.kernels = kernels
      return try Compiler.compile(builder.graph, options).run(inputs)
    }
  }

  @Test(arguments: 0..<60)
  func knownWeightsAreTheSame(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let example = try Case(&random, Int(seed) % Self.cells.count)
    let expected = try example.run(isKnown: false, .best)
    for kernels in KernelSet.available {
      for (found, wanted) in zip(try example.run(isKnown: true, kernels), expected) {
        let pairs = zip(try found.elements(of: Float.self), try wanted.elements(of: Float.self))
        #expect(pairs.allSatisfy { abs($0 - $1) < 1e-5 }, "seed \(seed), \(kernels.name)")
      }
    }
  }

  /// A sequence of no rows keeps its first state, and gives zeros.
  @Test func nothingChangesAfterTheEnd() throws {
    var random = SeededRandom(seed: 5)
    var example = try Case(&random, 0)
    let batch = try #require(example.tensors[2]).shape[0]
    example.tensors[6] = try Tensor([Int32](repeating: 0, count: batch))
    let found = try example.run(isKnown: true, .best)
    #expect(try found[0].elements(of: Float.self).allSatisfy { $0 == 0 })
    for (index, place) in [(1, 2), (2, 3)] {
      let first = try #require(example.tensors[place])
      #expect(found[index].bytes.elementsEqual(first.bytes))
    }
  }

  @Test func whatDoesNotFitIsRefused() throws {
    for index in [0, 1, 2, 4, 6] {
      var random = SeededRandom(seed: 9)
      var example = try Case(&random, 0)
      let type = try #require(example.tensors[index]).type
      let shape = try Shape(type.shape.dimensions.map { $0 + 1 })
      example.tensors[index] = try Tensor(TensorType(type.dataType, shape)) { _ in }
      #expect(throws: ApusError.self) { try example.run(isKnown: false, .best) }
    }
  }
}
