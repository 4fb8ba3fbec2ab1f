import Graph
import TensorCore
import Testing

/// Layer and RMS normalization that are spelled out, and what is nearly so.
@Suite struct NormalizationPassTests {
  /// What a spelling is made of. Each value of `axes` and `epsilon` serves both means.
  private struct Parts {
    var x: Value
    var mean: Value
    var variance: Value
    var root: Value
  }

  private func parts(
    _ graph: inout SpelledGraph, _ shape: [Int] = [2, 4, 8], axes: [Int] = [-1],
    root: UnaryMath.Function = .rsqrt
  ) throws -> Parts {
    let x = try graph.input(shape)
    let mean = try graph.mean(x, axes: axes)
    let variance = try graph.mean(graph.add(SquaredDifference(), x, mean), axes: axes)
    let sum = try graph.add(Add(), graph.number(1e-5), variance)
    return Parts(x: x, mean: mean, variance: variance, root: try graph.add(UnaryMath(root), sum))
  }

  @Test func dividedByTheRoot() throws {
    var graph = SpelledGraph()
    let parts = try parts(&graph, root: .sqrt)
    let normal = try graph.add(Divide(), graph.add(Subtract(), parts.x, parts.mean), parts.root)
    let scaled = try graph.add(Multiply(), graph.weights([8]), normal)
    graph.output(try graph.add(Add(), scaled, graph.weights([8])))
    #expect(try graph.fused() == ["layerNormalization"])
  }

  @Test func multipliedOut() throws {
    var graph = SpelledGraph()
    let parts = try parts(&graph)
    let factor = try graph.add(Multiply(), parts.root, graph.weights([8]))
    let offset = try graph.add(
      Subtract(), graph.weights([1, 1, 8]), graph.add(Multiply(), parts.mean, factor))
    graph.output(try graph.add(Add(), graph.add(Multiply(), parts.x, factor), offset))
    #expect(try graph.fused() == ["layerNormalization"])
  }

  /// What is read before scale and offset is a normalization of its own.
  @Test func resultsOnTheWay() throws {
    var graph = SpelledGraph()
    let parts = try parts(&graph)
    let normal = try graph.add(Multiply(), graph.add(Subtract(), parts.x, parts.mean), parts.root)
    let scaled = try graph.add(Multiply(), normal, graph.weights([8]))
    graph.output(try graph.add(UnaryMath(.abs), normal), scaled)
    #expect(try graph.fused().sorted() == ["abs", "layerNormalization", "layerNormalization"])
  }

  @Test func valuesThatAreReadStay() throws {
    for read in [\Parts.mean, \.variance, \.root] {
      var graph = SpelledGraph()
      let parts = try parts(&graph)
      let normal = try graph.add(Multiply(), graph.add(Subtract(), parts.x, parts.mean), parts.root)
      graph.output(normal, parts[keyPath: read])
      #expect(try !graph.fused().contains("layerNormalization"))
    }
  }

  @Test func otherAxesStay() throws {
    for axes in [[1], [0, 2], [1, 2]] {
      var graph = SpelledGraph()
      let parts = try parts(&graph, axes: axes)
      graph.output(try graph.add(Multiply(), graph.add(Subtract(), parts.x, parts.mean), parts.root))
      #expect(try !graph.fused().contains("layerNormalization"))
    }
  }

  /// Axes of extent 1 may be reduced too.
  @Test func axesOfOneElementDoNotMatter() throws {
    var graph = SpelledGraph()
    let parts = try parts(&graph, [1, 4, 8], axes: [0, 2])
    graph.output(try graph.add(Multiply(), graph.add(Subtract(), parts.x, parts.mean), parts.root))
    #expect(try graph.fused() == ["layerNormalization"])
  }

  /// As many rows as columns: a mean of rows that is taken from columns is none of theirs.
  @Test func meansOfOtherRowsStay() throws {
    var graph = SpelledGraph()
    let x = try graph.input([8, 8])
    let mean = try graph.mean(x, keepDimensions: false)
    let difference = try graph.add(Subtract(), x, mean)
    let variance = try graph.mean(graph.add(UnaryMath(.square), difference))
    let root = try graph.add(UnaryMath(.rsqrt), graph.add(Add(), variance, graph.number(1e-5)))
    graph.output(try graph.add(Multiply(), difference, root))
    // What is left is the root mean square of the differences.
    #expect(try graph.fused() == ["reduceMean", "subtract", "rmsNormalization"])
  }

  @Test func anotherSpreadStays() throws {
    var graph = SpelledGraph()
    let parts = try parts(&graph)
    let twice = try graph.multiply(parts.mean, 2)
    graph.output(try graph.add(Multiply(), graph.add(Subtract(), parts.x, twice), parts.root))
    #expect(try !graph.fused().contains("layerNormalization"))
  }

  enum Square: CaseIterable { case multiply, square, power }

  private func rootMeanSquare(
    _ square: Square, scale: [Int], factor: Float = 1, _ graph: inout SpelledGraph
  ) throws {
    let x = try graph.input([2, 4, 8])
    let squares =
      switch square {
      case .multiply: try graph.add(Multiply(), x, x)
      case .square: try graph.add(UnaryMath(.square), x)
      case .power: try graph.add(Power(), x, graph.number(2))
      }
    let mean = try graph.multiply(graph.mean(squares, keepDimensions: false), factor)
    let sum = try graph.add(Add(), mean, graph.number(1e-6))
    let root = try graph.add(UnaryMath(.rsqrt), graph.add(Reshape(shape: [2, 4, 1]), sum))
    graph.output(try graph.add(Multiply(), graph.add(Multiply(), x, root), graph.weights(scale)))
  }

  @Test(arguments: Square.allCases) func rootMeanSquares(_ square: Square) throws {
    var graph = SpelledGraph()
    try rootMeanSquare(square, scale: [8], &graph)
    #expect(try graph.fused() == ["rmsNormalization"])
  }

  /// A factor for each row is no scale of columns, and a mean that is scaled no mean.
  @Test func whatIsNoRootMeanSquareStays() throws {
    var graph = SpelledGraph()
    try rootMeanSquare(.square, scale: [2, 4, 1], &graph)
    #expect(try graph.fused() == ["rmsNormalization", "multiply"])
    graph = SpelledGraph()
    try rootMeanSquare(.square, scale: [8], factor: 0.5, &graph)
    #expect(try !graph.fused().contains("rmsNormalization"))
  }
}
