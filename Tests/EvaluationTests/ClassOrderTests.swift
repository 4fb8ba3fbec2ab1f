import Graph
import TensorCore
import TestSupport
import Testing

@testable import Evaluation

/// Models that have the baseline's classes in another order.
@Suite struct ClassOrderTests {
  @Test func namesSayTheOrder() {
    #expect(ClassOrder(["b", "c", "a"], baseline: ["a", "b", "c"])?.positions == [1, 2, 0])
    // What only one of the two calls so is left over.
    #expect(ClassOrder(["b", "a", "e", "d"], baseline: ["a", "b", "c", "d"])?.positions == [1, 0, 2, 3])
    #expect(ClassOrder(["a", "b"], baseline: ["A", "B"]) == nil)
    #expect(ClassOrder(["x", "y", "z"], baseline: ["a", "b", "c"]) == nil)
    #expect(ClassOrder(["b", "a"], baseline: ["a", "b", "c"]) == nil)
    #expect(ClassOrder(nil, baseline: ["a", "b"]) == nil)
  }

  /// Rows and columns move with their steps, whatever part is asked for.
  @Test func storedNumbersMove() throws {
    let order = try #require(ClassOrder(["c", "a", "b"], baseline: ["a", "b", "c"]))
    let rows = try Tensor(
      [1, 2, 3, 4, 5, 6] as [Int8], shape: Shape([3, 2]),
      quantization: Quantization(scales: [1, 10, 100], zeroPoints: [0, 0, 0], axis: 0))
    let moved = StoredNumbers(rows).arranged(by: order)
    #expect(moved.count == 1)
    let numbers = try moved[0].realNumbers(0..<6)
    #expect(numbers == [500, 600, 1, 2, 30, 40] && moved[0].rowSteps == [100, 1, 10])
    let part = try moved[0].realNumbers(1..<4)
    #expect(part == [600, 1, 2])
    let columns = try Tensor([1, 2, 3, 4, 5, 6] as [Float], shape: Shape([2, 3]))
    let others = StoredNumbers(columns).arranged(by: order)
    #expect(others.count == 1)
    let place = try others[0].realNumbers(2..<5)
    #expect(place == [2, 6, 4])
    #expect(StoredNumbers(columns).arranged(by: nil).isEmpty)
    // Three channels that a filter reads are no classes.
    let filters = try Tensor([Float](repeating: 1, count: 24), shape: Shape([2, 2, 2, 3]))
    #expect(StoredNumbers(filters).arranged(by: order).isEmpty)
  }

  /// The network with the classes of some operands of a layer, 1 its weights and 2 its bias, in the other order.
  private static func reversed(_ sound: Graph, _ operands: [Int], node: Int = 4) throws -> Graph {
    var reversed = sound
    for operand in operands {
      let value = try #require(reversed.nodes[node].inputs[operand])
      let tensor = try #require(reversed[value].constant)
      let numbers = try tensor.floats()
      let width = numbers.count / 5
      let rows = (0..<5).reversed().flatMap { numbers[($0 * width)..<(($0 + 1) * width)] }
      reversed[value].constant = try Tensor(rows, shape: tensor.shape)
    }
    return reversed
  }

  /// What is found where the labels are in the other order.
  private static func finds(_ sound: Graph, _ other: Graph) throws -> [WeightSearch.Find] {
    let names = ["a", "b", "c", "d", "e"]
    let order = try #require(ClassOrder(Array(names.reversed()), baseline: names))
    let alignment = try LayerAlignment(sound, other)
    return WeightSearch(StoredPairs(alignment, sound, other), order: order).finds
  }

  /// What was not brought into the order of the labels is named, and nothing that was.
  @Test(
    arguments: [([1, 2], []), ([2], ["weights"]), ([1], ["bias"]), ([], ["weights", "bias"])]
      as [([Int], [String])])
  func tensorsOutOfOrderAreNamed(_ operands: [Int], _ expected: [String]) throws {
    let sound = try LayerNetwork().graph()
    let finds = try Self.finds(sound, Self.reversed(sound, operands))
    let found = finds.map { String($0.name.prefix { $0 != " " }) }
    #expect(found == expected, "\(finds.map(\.statement))")
    let areInOrder = finds.filter { $0.fault != .outOfOrder }
    #expect(areInOrder.isEmpty)
  }

  @Test func aMatrixWithoutABiasIsNamed() throws {
    var sound = try LayerNetwork().graph()
    sound.nodes[4].inputs[2] = nil
    let finds = try Self.finds(sound, sound)
    #expect(finds.map(\.fault) == [.outOfOrder])
    #expect(finds.first?.name.hasPrefix("weights") == true)
    let mended = try Self.finds(sound, Self.reversed(sound, [1]))
    #expect(mended.isEmpty)
  }

  /// Beside a head in the order of the labels, the other of its shape is named; of two that are not, nothing says which has
  /// the classes.
  @Test func aForgottenHeadIsNamed() throws {
    var network = LayerNetwork()
    network.layers += [
      .init(kind: .fullyConnected(outputs: 5), operands: [3]), .init(kind: .addition, operands: [4, 5]),
    ]
    network.seeds += [16, 17]
    let sound = try network.graph()
    let finds = try Self.finds(sound, Self.reversed(sound, [1, 2]))
    #expect(finds.map(\.fault) == [.outOfOrder, .outOfOrder])
    let label = sound.nodes[5].label
    #expect(finds.map(\.name) == ["weights of \(label)", "bias of \(label)"])
    let undecided = try Self.finds(sound, sound)
    #expect(undecided.isEmpty)
  }

  /// A layer with as many inputs as classes may be any before the head.
  @Test func aHiddenLayerOfTheShapeOfTheHeadIsSound() throws {
    var network = LayerNetwork()
    network.layers += [
      .init(kind: .fullyConnected(outputs: 5), operands: [4]),
      .init(kind: .fullyConnected(outputs: 5), operands: [5]),
    ]
    network.seeds += [16, 17]
    let sound = try network.graph()
    let finds = try Self.finds(sound, Self.reversed(sound, [1, 2], node: 6))
    #expect(finds.isEmpty, "\(finds.map(\.statement))")
  }

  /// Nor is a bottleneck, of the shape of the head, accused beside it.
  @Test func aBottleneckBeforeTheHeadIsSound() throws {
    var network = LayerNetwork()
    network.layers += [
      .init(kind: .fullyConnected(outputs: 432), operands: [4]),
      .init(kind: .fullyConnected(outputs: 5), operands: [5]),
    ]
    network.seeds += [16, 17]
    let sound = try network.graph()
    let finds = try Self.finds(sound, Self.reversed(sound, [1, 2], node: 6))
    #expect(finds.isEmpty, "\(finds.map(\.statement))")
    let forgotten = try Self.finds(sound, sound)
    let label = sound.nodes[6].label
    #expect(forgotten.map(\.name) == ["weights of \(label)", "bias of \(label)"])
  }

  @Test func layersAreComparedClassByClass() throws {
    let names = ["a", "b", "c", "d", "e"]
    let sound = try LayerNetwork().graph()
    let reversed = try Self.reversed(sound, [1, 2])
    for (others, isSame) in [(Array(names.reversed()), true), (names, false)] {
      let comparison = try LayerComparison(
        baseline: LayerSource(sound, classNames: names), other: LayerSource(reversed, classNames: others))
      for seed: UInt64 in 1...2 { try comparison.add([LayerNetwork.picture(seed)]) }
      let report = try comparison.report()
      let row = try #require(report.rowsInRunOrder.last)
      #expect(row.kind == "fullyConnected" && (row.signalToNoise > 100) == isSame, "\(row)")
      let (introduced, weights) = (row.introduced?.signalToNoise ?? 0, row.weights?.signalToNoise ?? 0)
      #expect((introduced > 100) == isSame && (weights > 100) == isSame && report.culprits.isEmpty == isSame)
    }
  }
}
