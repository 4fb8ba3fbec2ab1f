import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// What attention refuses, and what it says.
@Suite struct AttentionRefusalTests {
  private func refused(
    heads: Int = 2, keyHeads: Int? = nil, headWidth: Int = 3, scale: Float = 1, offset: Int = 0,
    _ change: (inout [Tensor]) throws -> Void = { _ in }
  ) throws -> ApusError {
    var operands = try AttentionCase(queries: [2], keys: [5]).operands([])
    try change(&operands)
    return try refusal(
      Attention(
        heads: heads, keyHeads: keyHeads, headWidth: headWidth, scale: scale, isCausal: false,
        keyOffset: offset),
      operands)
  }

  private func zeros(_ shape: [Int]) throws -> Tensor {
    try Tensor([Float](repeating: 0, count: shape.reduce(1, *)), shape: Shape(shape))
  }

  @Test func attributes() throws {
    #expect(try refused(heads: 0).description.contains("0 heads of width 3"))
    #expect(try refused(headWidth: -1).description.contains("2 heads of width -1"))
    #expect(try refused(heads: .max, headWidth: 3).description.contains("heads of width"))
    for keyHeads in [0, -1, 3, 4, .min] {
      #expect(
        try refused(keyHeads: keyHeads).description.contains("\(keyHeads) heads of keys for 2 of queries"))
    }
    #expect(try refused(scale: .nan).description.contains("the scale nan"))
    #expect(try refused(offset: -1).description.contains("read from column -1"))
    #expect(try refused(offset: 13).description.contains("input 1 (the keys) of shape [5, 17]"))
    #expect(try refused(offset: .max).description.contains("read from column"))
  }

  @Test func shapesAndTypes() throws {
    #expect(try refused { $0.removeLast() }.description.contains("4 inputs, expected 5"))
    #expect(try refused { $0[0] = try zeros([2, 3, 4]) }.description.contains("expected rank 2"))
    #expect(try refused { $0[1] = try zeros([5, 5]) }.description.contains("2 heads of 3 columns"))
    #expect(try refused { $0[2] = try zeros([4, 17]) }.description.contains("4 rows of values, expected 5"))
    #expect(try refused { $0[2] = $0[3] }.description.contains("input 2 (the values) is a tensor of int32"))
    #expect(
      try refused { $0[3] = try zeros([2]) }.description.contains(
        "input 3 (the query segments) is a tensor of float32"))
    let none = try Tensor([Int32](), shape: .vector(0))
    #expect(try refused { $0[4] = none }.description.contains("input 4 (the key segments) has no element"))
    let two = try Tensor([Int32(0), 1, 5], shape: .vector(3))
    #expect(try refused { $0[4] = two }.description.contains("1 segments of queries and 2 of keys"))
  }

  /// Bounds come with the data: every wrong one ends the run with an error that says which.
  @Test(arguments: [[-1, 2], [0, 3], [2, 1], [0, .max], [.min, 2]] as [[Int32]])
  func segmentBounds(_ bounds: [Int32]) throws {
    var test = AttentionCase(queries: [2], keys: [2])
    test.isCausal = true
    let model = try test.compile()
    var operands = try test.operands([])
    operands[3] = try Tensor(bounds, shape: .vector(2))
    let queries = #expect(throws: ApusError.self) { try model.run(operands) }
    #expect(queries?.description.contains("attention: queries: segment bound") == true)
    operands.swapAt(3, 4)
    let keys = #expect(throws: ApusError.self) { try model.run(operands) }
    #expect(keys?.description.contains("attention: keys: segment bound") == true)
    #expect(keys?.kind == .argument)
  }

  /// Nothing to attend is nothing to do.
  @Test func emptyOperands() throws {
    var test = AttentionCase(queries: [], keys: [])
    #expect(try test.run([[], [], []]).isEmpty)
    test.trailingRows = 2
    var random = SeededRandom()
    let found = try test.run(test.matrices(&random))
    #expect(found == [Float](repeating: 0, count: 2 * test.width))
  }
}
