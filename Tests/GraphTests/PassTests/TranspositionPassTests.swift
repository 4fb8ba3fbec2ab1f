import Graph
import TensorCore
import Testing

/// Transpositions that together move nothing, and others.
@Suite struct TranspositionPassTests {
  @Test func pairsCancel() throws {
    var graph = SpelledGraph()
    let x = try graph.add(UnaryMath(.abs), graph.input([2, 4, 5, 3]))
    let channelsFirst = try graph.transpose(x, [0, 3, 1, 2])
    graph.output(try graph.add(UnaryMath(.negate), graph.transpose(channelsFirst, [0, 2, 3, 1])))
    #expect(try graph.fused() == ["abs", "reshape", "negate"])
  }

  /// An image as patches: channels first, then rows of pixels, then pixels first again.
  @Test func reshapesBetweenThemMayMergeAxes() throws {
    var graph = SpelledGraph()
    let x = try graph.input([2, 4, 5, 3])
    let rows = try graph.add(Reshape(shape: [2, 3, 20]), graph.transpose(x, [0, 3, 1, 2]))
    graph.output(try graph.transpose(rows, [0, 2, 1]))
    #expect(try graph.fused() == ["reshape"])
  }

  @Test func axesOfOneElementMoveNothing() throws {
    var graph = SpelledGraph()
    graph.output(try graph.transpose(graph.input([1, 4, 1, 3]), [0, 2, 1, 3]))
    #expect(try graph.fused() == ["reshape"])
  }

  @Test func othersStay() throws {
    var graph = SpelledGraph()
    let x = try graph.input([2, 4, 5, 3])
    graph.output(try graph.transpose(graph.transpose(x, [0, 3, 1, 2]), [0, 3, 1, 2]))
    #expect(try graph.fused() == ["transpose", "transpose"])
    graph = SpelledGraph()
    let rows = try graph.transpose(graph.input([4, 6]), [1, 0])
    graph.output(try graph.transpose(graph.add(Reshape(shape: [8, 3]), rows), [1, 0]))
    #expect(try graph.fused() == ["transpose", "reshape", "transpose"])
  }

  /// The value between them is still there for others.
  @Test func readersBetweenThem() throws {
    var graph = SpelledGraph()
    let x = try graph.input([2, 3, 4])
    let turned = try graph.transpose(x, [0, 2, 1])
    graph.output(try graph.transpose(turned, [0, 2, 1]), try graph.add(UnaryMath(.abs), turned))
    #expect(try graph.fused().sorted() == ["abs", "reshape", "transpose"])
  }
}
