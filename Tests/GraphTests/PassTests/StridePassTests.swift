import Graph
import TensorCore
import TestSupport
import Testing

/// Strides of 1×1 convolutions that move to where pixels are made.
@Suite struct StridePassTests {
  /// The end of one stage of a ResNet and the start of the next, with images of `side` pixels: a sum of a bottleneck and
  /// what it began with, and two convolutions of stride 2 that read it.
  private func stages(side: Int, isRead: Bool = false, lastStride: Int = 2) throws -> SpelledGraph {
    var graph = SpelledGraph()
    let x = try graph.input([2, side, side, 8])
    let narrow = try graph.add(
      Convolution2D(padding: .same, activation: .relu), x, graph.weights([4, 1, 1, 8]))
    let middle = try graph.add(
      Convolution2D(padding: .same, activation: .relu), narrow, graph.weights([4, 3, 3, 4]),
      graph.weights([4]))
    let wide = try graph.add(Convolution2D(padding: .valid), middle, graph.weights([8, 1, 1, 4]))
    let sum = try graph.add(Add(activation: .relu), wide, graph.add(UnaryMath(.negate), x))
    let first = try graph.add(
      Convolution2D(padding: .same, strideY: 2, strideX: 2), sum, graph.weights([6, 1, 1, 8]))
    let second = try graph.add(
      Convolution2D(padding: .valid, strideY: lastStride, strideX: lastStride), sum,
      graph.weights([5, 1, 1, 8]))
    graph.output(first, second)
    if isRead { graph.output(sum) }
    return graph
  }

  @Test(arguments: [1, 2, 5, 6, 7]) func stridesMoveUpstream(side: Int) throws {
    let graph = try stages(side: side)
    #expect(try graph.fused().contains("stridedSlice"))
    let compiled = try Compiler.compile(graph.builder.graph).graph
    let strides = compiled.nodes.compactMap { ($0.operation as? Convolution2D)?.attributes.strideX }
    // The second is the one by 3×3.
    #expect(strides == [1, 2, 1, 1, 1])
  }

  @Test func pixelsThatAreReadAreComputed() throws {
    #expect(try !stages(side: 6, isRead: true).fused().contains("stridedSlice"))
    #expect(try !stages(side: 6, lastStride: 1).fused().contains("stridedSlice"))
    #expect(try !stages(side: 6, lastStride: 3).fused().contains("stridedSlice"))
  }

  /// Of one convolution behind another, with a window that is dilated and padded in its own way, the first takes both
  /// strides.
  @Test func stridesMultiply() throws {
    var graph = SpelledGraph()
    let sums = try graph.add(
      DepthwiseConvolution2D(
        padding: .explicit(top: 2, bottom: 1, left: 0, right: 3), strideY: 1, strideX: 2, dilationY: 2,
        dilationX: 1),
      graph.input([1, 13, 17, 6]), graph.weights([1, 3, 3, 6]), graph.weights([6]))
    graph.output(
      try graph.add(
        Convolution2D(padding: .valid, strideY: 3, strideX: 3), sums, graph.weights([4, 1, 1, 6])))
    #expect(try graph.fused() == ["depthwiseConv2D", "conv2D"])
    let first = try Compiler.compile(graph.builder.graph).graph.nodes[0].operation as? DepthwiseConvolution2D
    #expect(first?.attributes.strideY == 3)
    #expect(first?.attributes.strideX == 6)
  }

  /// Padding is the zero point wherever the stride is.
  @Test func bytesStayToTheBit() throws {
    var random = SeededRandom()
    func bytes(_ shape: [Int], scale: Float, zeroPoint: Int32 = 0) throws -> Tensor {
      let count = shape.reduce(1, *)
      return try integers(
        random.bytes(count).map { Int8(bitPattern: $0) }, shape, scale: scale, zeroPoint: zeroPoint)
    }
    let image = try bytes([2, 7, 6, 5], scale: 0.05, zeroPoint: -3)
    var builder = GraphBuilder()
    let x = builder.input("x", image.type)
    func convolve(_ x: Value, _ convolution: Convolution2D, _ filters: [Int], to shape: [Int]) throws -> Value
    {
      let weights = builder.constant("weights", try bytes(filters, scale: 0.01))
      let type = TensorType(
        .int8, try Shape(shape), quantization: try Quantization(scales: [0.3], zeroPoints: [7]))
      return try builder.add(convolution, [x, weights, nil], results: [.init("sums", type)], label: "conv")[0]
    }
    let sums = try convolve(x, Convolution2D(padding: .same), [4, 3, 3, 5], to: [2, 7, 6, 4])
    builder.output(
      try convolve(
        sums, Convolution2D(padding: .same, strideY: 2, strideX: 2), [3, 1, 1, 4], to: [2, 4, 3, 3]))
    var options = CompileOptions()
    let moved = try Compiler.compile(builder.graph, options)
    #expect(moved.graph.nodes.compactMap { ($0.operation as? Convolution2D)?.attributes.strideX } == [2, 1])
    options.fusesOperations = false
    let plain = try Compiler.compile(builder.graph, options)
    let wanted = try plain.run([image])[0].elements(of: Int8.self)
    #expect(try moved.run([image])[0].elements(of: Int8.self) == wanted)
    #expect(Set(wanted).count > 9)
  }

  /// However many convolutions of 1×1 stand one behind the other, the stride comes to the first.
  @Test(arguments: [3, 100]) func longChains(count: Int) throws {
    var graph = SpelledGraph()
    var x = try graph.input([1, 5, 5, 3])
    for _ in 0..<count {
      x = try graph.add(Convolution2D(padding: .same, activation: .relu), x, graph.weights([3, 1, 1, 3]))
    }
    graph.output(
      try graph.add(Convolution2D(padding: .same, strideY: 2, strideX: 2), x, graph.weights([2, 1, 1, 3])))
    #expect(try graph.fused().count == count + 1)
    let strides = try Compiler.compile(graph.builder.graph).graph.nodes.map {
      ($0.operation as? Convolution2D)?.attributes.strideX
    }
    #expect(strides.firstIndex(of: 2) == 0)
    #expect(strides.filter { $0 == 2 }.count == 1)
  }

  /// An image that is quantized as it comes has one scale for all of its pixels.
  @Test func dynamicQuantizationSeesAllPixels() throws {
    var graph = SpelledGraph()
    let x = try graph.input([1, 6, 6, 4])
    let sums = try graph.add(Convolution2D(padding: .same), x, graph.weights([4, 3, 3, 4]))
    var random = SeededRandom()
    let weights = try graph.constant(
      integers(random.bytes(16).map { Int8(bitPattern: $0) }, [4, 1, 1, 4], scale: 0.1))
    graph.output(try graph.add(Convolution2D(padding: .same, strideY: 2, strideX: 2), sums, weights))
    let compiled = try Compiler.compile(graph.builder.graph).graph
    #expect(compiled.nodes.compactMap { ($0.operation as? Convolution2D)?.attributes.strideX } == [1, 2])
  }
}
