import Graph
import TensorCore
import TestSupport
import Testing

/// Kernels and votes of support vectors by their definitions; operands that do not fit are refused.
@Suite struct SupportVectorTests {
  private func run(_ operation: some Operation, _ inputs: [Tensor]) throws -> Tensor {
    var builder = GraphBuilder()
    let values = inputs.enumerated().map { builder.input("x\($0)", $1.type) }
    builder.output(try builder.add(operation, values, results: [.init("y")], label: "vectors")[0])
    return try Compiler.compile(builder.graph).run(inputs)[0]
  }

  private func expect(_ tensor: Tensor, near expected: [Float], tolerance: Float = 1e-6) throws {
    let found = try tensor.elements(of: Float.self)
    #expect(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance }, "\(found)")
  }

  @Test(
    arguments: [
      (.linear, [4, -2]), (.polynomial(gamma: 0.5, offset: 1, degree: 2), [9, 0]),
      (.radial(gamma: 0.5), [0.36787944, 2.0346837e-4]),
      (.sigmoid(gamma: 0.25, offset: 0.5), [0.9051483, 0]),
    ] as [(VectorKernel.Function, [Float])])
  func kernels(_ function: VectorKernel.Function, _ expected: [Float]) throws {
    let vectors = try Tensor([1, 1, -2, 1] as [Float], shape: [2, 2])
    let found = try run(VectorKernel(function), [Tensor([2, 2] as [Float], shape: [1, 2]), vectors])
    try expect(found, near: expected)
  }

  /// Of three classes: who wins two pairs wins; of equal ones the first.
  @Test func votes() throws {
    let scores: [Float] = [1, 1, 1, -1, 1, 1, -1, -1, -1, 1, -1, 1, 0, 0, 0]
    let found = try run(PairwiseVote(classes: 3), [Tensor(scores, shape: [5, 3])])
    #expect(try found.elements(of: Int64.self) == [0, 1, 2, 0, 2])
  }

  /// Of two classes the probability of the pair itself; of pairs that agree, shares in their proportions.
  @Test func probabilities() throws {
    let two = PairwiseProbabilities(classes: 2, slopes: [-1], offsets: [0])
    let found = try run(two, [Tensor([0, 1.0986123] as [Float], shape: [2, 1])])
    try expect(found, near: [0.5, 0.5, 0.75, 0.25], tolerance: 5e-3)
    // Shares of 1/2, 1/4 and 1/4: two thirds, two thirds and a half of the pairs, found to a few thousandths.
    let three = PairwiseProbabilities(classes: 3, slopes: [-1, -1, -1], offsets: [0, 0, 0])
    let shares = try run(three, [Tensor([0.6931472, 0.6931472, 0] as [Float], shape: [1, 3])])
    try expect(shares, near: [0.5, 0.25, 0.25], tolerance: 5e-3)
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let rows = try Tensor([Float](repeating: 1, count: 6), shape: [2, 3])
    #expect(throws: ApusError.self) {
      try run(VectorKernel(.linear), [rows, Tensor([1, 2] as [Float], shape: [1, 2])])
    }
    for starts in [[0, 3], [0, 4, 3], [1, 2, 3], [0, 2, 4]] {
      let scores = PairScores(starts: starts, coefficients: [1, 1, 1], offsets: [0])
      #expect(throws: ApusError.self) { try run(scores, [rows]) }
    }
    #expect(throws: ApusError.self) {
      try run(PairScores(starts: [0, 1, 3], coefficients: [1, 1], offsets: [0]), [rows])
    }
    for classes in [-1, 0, 1, 2, .max] {
      #expect(throws: ApusError.self) { try run(PairwiseVote(classes: classes), [rows]) }
      let coupling = PairwiseProbabilities(classes: classes, slopes: [1, 1, 1], offsets: [0, 0, 0])
      #expect(throws: ApusError.self) { try run(coupling, [rows]) }
    }
    let lacking = PairwiseProbabilities(classes: 3, slopes: [1, 1, 1], offsets: [0, 0])
    #expect(throws: ApusError.self) { try run(lacking, [rows]) }
  }
}
