import Graph
import TensorCore
import TestSupport
import Testing

/// Trees lead to leaves by their comparisons, and those that lead nowhere are refused.
@Suite struct TreeEnsembleTests {
  /// x₀ ≤ 1 ? 10 : (x₁ is 2 or 3 ? 20 : 30), and a tree of one leaf.
  private static func forest() throws -> Forest {
    try Forest(
      [
        Forest.Node(.lessOrEqual, feature: 0, value: 1, isTrue: 1, isFalse: 2, missingIsTrue: true),
        Forest.Node(.leaf), Forest.Node(.member, feature: 1, isTrue: 3, isFalse: 4), Forest.Node(.leaf),
        Forest.Node(.leaf), Forest.Node(.leaf),
      ],
      roots: [0, 5],
      leaves: [
        [], [.init(target: 0, weight: 10)], [.init(target: 0, weight: 2), .init(target: 0, weight: 3)],
        [.init(target: 0, weight: 20)], [.init(target: 0, weight: 30)], [.init(target: 1, weight: 5)],
      ])
  }

  @Test(
    arguments: [
      (TreeEnsemble.Joining.sum, [10, 6, 10, 6, 20, 6, 30, 6, 10, 6]),
      (.average, [5, 3.5, 5, 3.5, 10, 3.5, 15, 3.5, 5, 3.5]),
      (.maximum, [10, 6, 10, 6, 20, 6, 30, 6, 10, 6]),
      (.minimum, [10, 6, 10, 6, 20, 6, 30, 6, 10, 6]),
    ] as [(TreeEnsemble.Joining, [Float])])
  func leavesAreJoined(_ joining: TreeEnsemble.Joining, _ expected: [Float]) throws {
    let rows: [Float] = [1, 0, 0.5, 2, 2, 3, 2, 4, .nan, 3]
    let ensemble = TreeEnsemble(try Self.forest(), joining: joining, targets: 2, base: [0, 1])
    var builder = GraphBuilder()
    let input = builder.input("x", TensorType(.float32, try Shape([5, 2])))
    builder.output(try builder.add(ensemble, [input], results: [.init("y")], label: "trees")[0])
    let found = try Compiler.compile(builder.graph).run([Tensor(rows, shape: [5, 2])])
    #expect(try found[0].elements(of: Float.self) == expected)
  }

  /// Nodes in a circle, of two parents, that do not exist, or with a negative feature.
  @Test(arguments: [(0, 1), (1, 1), (1, 9), (-1, 1)])
  func treesThatLeadNowhere(_ first: Int, _ second: Int) {
    let nodes = [
      Forest.Node(.less, feature: 0, value: 0, isTrue: first, isFalse: second), Forest.Node(.leaf),
    ]
    #expect(throws: ApusError.self) { try Forest(nodes, roots: [0], leaves: [[], []]) }
  }

  @Test func rowsThatAreTooShort() throws {
    let ensemble = TreeEnsemble(try Self.forest(), joining: .sum, targets: 2, base: [])
    var builder = GraphBuilder()
    let input = builder.input("x", TensorType(.float32, try Shape([5, 1])))
    #expect(throws: ApusError.self) {
      try builder.add(ensemble, [input], results: [.init("y")], label: "trees")
    }
  }
}
