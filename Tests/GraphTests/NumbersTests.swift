import Graph
import Testing

/// Whether the precision that is asked for counts is stated, and no matter of the operations.
@Suite struct NumbersTests {
  @Test func aFileIsComputedInItsOwnNumbers() {
    for asked in Precision.allCases {
      #expect(Graph(.stated).computedPrecision(asked) == .float32)
      #expect(Graph(.asked).computedPrecision(asked) == asked)
    }
    #expect(GraphBuilder().graph.numbers == .asked && GraphBuilder(.stated).graph.numbers == .stated)
  }
}
