import Graph
import TensorCore
import Testing

/// Float layers that take over what follows them.
@Suite struct LinearPassTests {
  private func layer(
    _ graph: inout SpelledGraph, _ x: Value, activation: FusedActivation = .none, keepsDimensions: Bool = true
  ) throws -> Value {
    let operation = FullyConnected(activation: activation, keepsDimensions: keepsDimensions)
    return try graph.add(operation, x, graph.weights([6, 8]), graph.weights([6]))
  }

  @Test func activationsAreFused() throws {
    for activation in [Gelu(.exact), Gelu(.tanh), Gelu(.sigmoid)] {
      var graph = SpelledGraph()
      graph.output(try graph.add(activation, layer(&graph, graph.input([1, 5, 8]))))
      #expect(try graph.fused() == ["linear"])
    }
    var graph = SpelledGraph()
    graph.output(try graph.add(Tanh(), layer(&graph, graph.input([1, 5, 8]), keepsDimensions: false)))
    #expect(try graph.fused() == ["linear", "reshape"])
  }

  /// As ONNX files spell them, where TensorFlow Lite's have them inside.
  @Test func clampsAreFused() throws {
    for (interval, isFused) in [(.relu, true), (.relu6, true), (.reluN1To1, true), (.relu0To1, false)]
      as [(Relu.Interval, Bool)]
    {
      for side in [1, 3] {
        var graph = SpelledGraph()
        graph.output(try graph.add(Relu(interval), convolution(&graph, side: side)))
        #expect(try graph.fused() == ["conv2D"] + (isFused ? [] : [interval.rawValue]))
        graph = SpelledGraph()
        let sum = try graph.add(Add(), convolution(&graph, side: side), graph.input([1, 7, 7, 20]))
        graph.output(try graph.add(Relu(interval), sum))
        #expect(try graph.fused() == ["conv2D"] + (isFused ? [] : [interval.rawValue]))
        graph = SpelledGraph()
        let sums = try convolution(&graph, side: side)
        graph.output(try graph.add(Relu(interval), sums), sums)
        #expect(try graph.fused() == ["conv2D", interval.rawValue])
      }
    }
    var graph = SpelledGraph()
    let layer = try graph.add(Linear(hasBias: false), graph.input([2, 8]), graph.weights([6, 8]))
    graph.output(try graph.add(Relu(.relu), layer))
    #expect(try graph.fused() == ["linear"])
    graph = SpelledGraph()
    let depthwise = try graph.add(
      DepthwiseConvolution2D(padding: .same), graph.input([1, 5, 5, 7]), graph.weights([1, 3, 3, 7]))
    graph.output(try graph.add(Relu(.relu6), depthwise))
    #expect(try graph.fused() == ["depthwiseConv2D"])
  }

  @Test(arguments: [1, 3]) func functionsOfConvolutionsAreFused(side: Int) throws {
    for function in [Swish(), HardSwish(), Gelu(.tanh), Tanh()] as [any Operation] {
      var graph = SpelledGraph()
      graph.output(try graph.add(function, convolution(&graph, side: side)))
      #expect(try graph.fused() == ["conv2D"])
      graph = SpelledGraph()
      let sums = try convolution(&graph, side: side)
      graph.output(try graph.add(function, sums), sums)
      #expect(try graph.fused() == ["conv2D", function.name])
    }
  }

  /// Rows of results that are no whole vectors, and several filters a channel, which are products of patches.
  @Test(arguments: [1, 2]) func functionsOfDepthwiseConvolutionsAreFused(filtersPerChannel: Int) throws {
    for function in [Swish(), HardSwish(), Gelu(.tanh), Tanh()] as [any Operation] {
      for size in [1, 4, 9] {
        var graph = SpelledGraph()
        let sums = try graph.add(
          DepthwiseConvolution2D(padding: .same, strideY: 2, activation: .relu6),
          graph.input([2, size, 5, 7]), graph.weights([1, 3, 3, 7 * filtersPerChannel]),
          graph.weights([7 * filtersPerChannel]))
        graph.output(try graph.add(function, sums))
        #expect(
          try graph.fused()
            == (filtersPerChannel == 1 ? ["depthwiseConv2D"] : ["depthwiseConv2D", function.name]))
      }
    }
  }

  /// What is added comes after the function.
  @Test func sumsOfFunctionsStay() throws {
    var graph = SpelledGraph()
    let gated = try graph.add(Swish(), convolution(&graph, side: 1))
    graph.output(try graph.add(Add(), gated, graph.input([1, 7, 7, 20])))
    #expect(try graph.fused() == ["conv2D", "add"])
  }

  private func convolution(_ graph: inout SpelledGraph, side: Int) throws -> Value {
    let x = try graph.input([1, 7, 7, 5])
    return try graph.add(
      Convolution2D(padding: .same), x, graph.weights([20, side, side, 5]), graph.weights([20]))
  }

  @Test func sumsOfAnotherShapeAreFused() throws {
    for keepsDimensions in [true, false] {
      var graph = SpelledGraph()
      let x = try graph.input([1, 5, 8])
      let rows = try graph.add(Reshape(shape: [5, 8]), x)
      let sums = try layer(&graph, keepsDimensions ? rows : x, keepsDimensions: keepsDimensions)
      graph.output(try graph.add(Add(), sums, graph.input([1, 5, 6])))
      #expect(try graph.fused().filter { $0 != "reshape" } == ["linear"])
    }
  }

  @Test func resultsThatAreReadStay() throws {
    var graph = SpelledGraph()
    let sums = try layer(&graph, graph.input([1, 5, 8]))
    graph.output(try graph.add(Gelu(.exact), sums), sums)
    #expect(try graph.fused() == ["fullyConnected", "gelu"])
    graph = SpelledGraph()
    let limited = try layer(&graph, graph.input([1, 5, 8]), activation: .relu)
    graph.output(try graph.add(Gelu(.exact), limited))
    #expect(try graph.fused() == ["fullyConnected", "gelu"])
  }

  /// A sum that repeats rows is none of two tensors of as many numbers.
  @Test func broadcastsStay() throws {
    var graph = SpelledGraph()
    let sums = try layer(&graph, graph.input([5, 8]))
    graph.output(try graph.add(Add(), sums, graph.input([2, 5, 6])))
    #expect(try graph.fused() == ["fullyConnected", "add"])
  }

  /// What a pass makes of a file's own arithmetic is computed in its numbers; other precisions are refused.
  @Test func numbersStayFloat32() throws {
    var graph = SpelledGraph()
    graph.output(try graph.add(Gelu(.exact), layer(&graph, graph.input([1, 5, 8]))))
    var options = CompileOptions()
    options.precision = .float32
    #expect(
      try Compiler.compile(graph.builder.graph, options).products == [Products(.float32, by: ["linear"])])
    options.precision = .int8
    let error = #expect(throws: ApusError.self) { try Compiler.compile(graph.builder.graph, options) }
    #expect(error?.problem == "the model multiplies float32")
  }
}
