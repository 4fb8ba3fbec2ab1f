import TensorCore

extension GraphPasses {
  /// Where all that reads a value are 1×1 convolutions with one stride, the pixels between are not computed: the stride
  /// moves into the convolution that makes the value, or into those whose sum it is. What else is added is sliced. No pixel
  /// depends on its neighbours there, so that every bit stays.
  ///
  /// He et al. 2015, "Deep Residual Learning for Image Recognition", put the stride of a stage into such convolutions.
  static func moveStrides(_ graph: inout Graph, _ options: CompileOptions) {
    var links = Links(graph)
    var visited = 0
    // The last first: none of its convolutions reads what an earlier one leaves out.
    for value in graph.nodes.flatMap(\.outputs).reversed() where visited < Graph.rewritingLimit {
      guard var mover = StrideMover(graph, links, value) else { continue }
      visited += graph.nodes.count
      guard mover.move() else { continue }
      graph = mover.graph
      links = Links(graph)
    }
  }
}

/// Who reads and who writes the values of a graph.
private struct Links {
  let consumers: [[Int]]
  private(set) var writers: [Value: Int] = [:]

  init(_ graph: Graph) {
    consumers = graph.consumers()
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { writers[output] = index }
    }
  }
}

/// A value of which strided 1×1 convolutions read some pixels.
private struct StrideMover {
  private(set) var graph: Graph
  private let links: Links
  private let value: Value
  private let stride: Int

  /// Returns nil where something else reads the value too.
  init?(_ graph: Graph, _ links: Links, _ value: Value) {
    let readers = links.consumers[value.index]
    guard let reader = readers.first, !graph.outputs.contains(value),
      let first = graph.nodes[reader].operation as? Convolution2D, first.attributes.strideX > 1
    else { return nil }
    let stride = first.attributes.strideX
    let areStrided = readers.allSatisfy { index in
      let node = graph.nodes[index]
      guard let convolution = node.operation as? Convolution2D, Self.isPointwise(node, graph),
        node.inputs.dropFirst().allSatisfy({ $0 != value })
      else { return false }
      return (convolution.attributes.strideY, convolution.attributes.strideX) == (stride, stride)
    }
    guard areStrided else { return nil }
    (self.graph, self.links, self.value, self.stride) = (graph, links, value, stride)
  }

  /// Whether it is a convolution by 1×1 filters without padding: each result is that of one pixel.
  private static func isPointwise(_ node: Node, _ graph: Graph) -> Bool {
    guard let window = geometry(node, graph) else { return false }
    let axes = [window.vertical, window.horizontal]
    return axes.allSatisfy { $0.filterSize == 1 && $0.padBefore == 0 && $0.padAfter == 0 }
  }

  /// The geometry of a convolution that can have another stride. One that quantizes its image as it comes cannot: the
  /// scale is of all pixels.
  private static func geometry(_ node: Node, _ graph: Graph) -> ConvolutionGeometry? {
    let operands = graph.operands(of: node)
    guard node.operation is Convolution2D || node.operation is DepthwiseConvolution2D,
      node.inputs.count <= 3, let convolution = node.operation as? any ImageConvolution,
      let input = try? operands.input(0), let weights = try? operands.input(1),
      (input.dataType == .float32) == (weights.dataType == .float32 || weights.dataType == .float16)
    else { return nil }
    return try? convolution.geometry(operands)
  }

  /// Moves the stride of the value's readers. Returns whether that saves anything.
  mutating func move() -> Bool {
    guard let index = links.writers[value] else { return false }
    let node = graph.nodes[index]
    if Self.geometry(node, graph) != nil {
      guard thin(index) else { return false }
    } else {
      guard node.operation is Add, node.inputs.count == 2, case let first?? = node.inputs.first,
        case let second?? = node.inputs.last, graph[first].type.shape == graph[second].type.shape,
        first != second
      else { return false }
      let makers = [first, second].map(maker(of:))
      guard makers.contains(where: { $0 != nil }), makers.allSatisfy({ $0.map { thin($0) } ?? true }) else {
        return false
      }
      for (place, operand) in [first, second].enumerated() where makers[place] == nil {
        // The other one has a maker: with this one slice the sum is the next node.
        guard let sliced = slice(operand, before: index) else { return false }
        graph.nodes[index + 1].inputs[place] = sliced
      }
    }
    reshape(value)
    for index in graph.nodes.indices where graph.nodes[index].inputs.first == value {
      guard let convolution = graph.nodes[index].operation as? Convolution2D else { continue }
      graph.nodes[index].operation = convolution.with(\.strideX, 1).with(\.strideY, 1)
    }
    return true
  }

  /// The convolution that makes the value for one reader alone.
  private func maker(of value: Value) -> Int? {
    guard let writer = links.writers[value], links.consumers[value.index].count == 1,
      !graph.outputs.contains(value), Self.geometry(graph.nodes[writer], graph) != nil
    else { return nil }
    return writer
  }

  /// Has a convolution compute only the pixels that are needed, and those of 1×1 before it, up to the first that has a
  /// window, or whose input something else reads: that one takes the stride.
  private mutating func thin(_ last: Int) -> Bool {
    var index = last
    while Self.isPointwise(graph.nodes[index], graph), !isStrided(index),
      case let input?? = graph.nodes[index].inputs.first, let maker = maker(of: input)
    {
      reshapeResult(of: index)
      index = maker
    }
    guard let geometry = Self.geometry(graph.nodes[index], graph),
      let convolution = graph.nodes[index].operation as? any ImageConvolution
    else { return false }
    let (top, bottom) = thinned(geometry.vertical)
    let (left, right) = thinned(geometry.horizontal)
    graph.nodes[index].operation = convolution.with(
      \.padding, .explicit(top: top, bottom: bottom, left: left, right: right)
    ).with(\.strideY, convolution.attributes.strideY * stride)
      .with(\.strideX, convolution.attributes.strideX * stride)
    reshapeResult(of: index)
    return true
  }

  private func isStrided(_ index: Int) -> Bool {
    guard let attributes = (graph.nodes[index].operation as? any ImageConvolution)?.attributes else {
      return false
    }
    return attributes.strideX != 1 || attributes.strideY != 1
  }

  /// The readers' own value has its shape from ``move()``, whoever makes it.
  private mutating func reshapeResult(of index: Int) {
    if let result = graph.nodes[index].outputs.first, result != value { reshape(result) }
  }

  /// The padding with which every `stride`-th position of a window is left, and none after them.
  private func thinned(_ window: SpatialWindow) -> (before: Int, after: Int) {
    let last = (window.outputSize - 1) / stride * stride * window.stride
    let end = last + (window.filterSize - 1) * window.dilation + 1
    return (window.padBefore, max(0, end - window.padBefore - window.inputSize))
  }

  private mutating func reshape(_ value: Value) {
    if let shape = thinned(graph[value].type.shape) {
      graph[value].type = TensorType(
        graph[value].type.dataType, shape, quantization: graph[value].type.quantization)
    }
  }

  private func thinned(_ shape: Shape) -> Shape? {
    var dimensions = shape.dimensions
    for axis in 1...2 { dimensions[axis] = (dimensions[axis] + stride - 1) / stride }
    return try? Shape(dimensions)
  }

  /// Every `stride`-th row and column of an image, as a node before that at `index`.
  private mutating func slice(_ operand: Value, before index: Int) -> Value? {
    guard let shape = thinned(graph[operand].type.shape) else { return nil }
    var inputs: [Value?] = [operand]
    for (name, numbers) in [
      ("begin", [0, 0, 0, 0]), ("end", [0, 0, 0, 0]), ("strides", [1, stride, stride, 1]),
    ] {
      guard let tensor = try? Tensor(numbers.map { Int32($0) }, shape: .vector(4)) else { return nil }
      inputs.append(add(ValueInfo(name: name, type: tensor.type, constant: tensor)))
    }
    let type = TensorType(
      graph[operand].type.dataType, shape, quantization: graph[operand].type.quantization)
    let result = add(ValueInfo(name: "\(graph[operand].name), strided", type: type))
    graph.nodes.insert(
      Node(
        operation: StridedSlice(beginMask: 15, endMask: 15), inputs: inputs, outputs: [result],
        label: graph.nodes[index].label), at: index)
    return result
  }

  private mutating func add(_ info: ValueInfo) -> Value {
    graph.values.append(info)
    return Value(index: graph.values.count - 1)
  }
}
