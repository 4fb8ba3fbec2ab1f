import Graph
import TensorCore
import Testing

/// What compiling promises: bounded memory, disjoint lives, nothing lost.
@Suite struct CompilerTests {
  private func image(_ shape: [Int]) throws -> TensorType { TensorType(.float32, try Shape(shape)) }

  /// A few bytes of model may declare any size; the answer is an error, not an exhausted machine.
  @Test func hugeInputsAreRefused() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", try image([1, 1 << 20, 1 << 20, 4]))
    builder.output(try builder.add(Relu(.relu), [x], results: [.init("y")], label: "relu")[0])
    let error = #expect(throws: ApusError.self) { try Compiler.compile(builder.graph) }
    #expect(error?.kind == .resources && error?.isOverLimit == true)
    #expect(error?.description.contains("value 'x'") == true)
  }

  @Test func theMemoryOfARunIsLimited() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", try image([1, 100, 100, 3]))
    builder.output(try builder.add(Relu(.relu), [x], results: [.init("y")], label: "relu")[0])
    var options = CompileOptions()
    options.memoryLimit = 200_000
    let error = #expect(throws: ApusError.self) { try Compiler.compile(builder.graph, options) }
    #expect(error?.kind == .resources && error?.isOverLimit == true)
    options.memoryLimit = 300_000
    #expect(try Compiler.compile(builder.graph, options).plan.byteCount <= 300_000)
  }

  /// What is constant is computed once, but never more of it than the limit.
  @Test func foldingStopsAtItsLimit() throws {
    var builder = GraphBuilder()
    let size = builder.constant("size", try Tensor([Int32(4096), 4096], shape: .vector(2)))
    let value = builder.constant("value", try Tensor([Float(2)], shape: .scalar))
    for index in 0..<6 {
      let filled = try builder.add(Fill(), [size, value], results: [.init("\(index)")], label: "fill")[0]
      builder.output(filled)
    }
    // 64 MiB each, 256 MiB in all.
    #expect(builder.graph.nodes.count == 2)
  }

  /// Another name for a constant, given out as a result, is the constant.
  @Test func resultsMayBeConstants() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", try image([2]))
    let constant = builder.constant("c", try Tensor((1...6).map { Float($0) }, shape: Shape([2, 3])))
    let reshaped = try builder.add(
      Reshape(shape: [3, 2]), [constant], results: [.init("r")], label: "reshape")[0]
    builder.output(reshaped)
    builder.output(constant)
    builder.output(x)
    let outputs = try Compiler.compile(builder.graph).run([Tensor([Float(7), 8], shape: .vector(2))])
    #expect(outputs.map(\.shape.dimensions) == [[3, 2], [2, 3], [2]])
    #expect(try outputs[0].elements(of: Float.self) == [1, 2, 3, 4, 5, 6])
    #expect(try outputs[2].elements(of: Float.self) == [7, 8])
  }

  @Test func deadNodesAreDropped() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", try image([4]))
    _ = try builder.add(Relu(.relu), [x], results: [.init("unused")], label: "dead")
    let y = try builder.add(Relu(.relu6), [x], results: [.init("y")], label: "alive")[0]
    builder.output(y)
    #expect(try Compiler.compile(builder.graph).graph.nodes.map(\.label) == ["alive"])
  }

  /// Values share memory only when their lives do not overlap: a long chain takes two blocks, and a value that
  /// is read at the end stays as it was.
  @Test func memoryIsSharedInTurn() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", try image([1000]))
    var value = x
    for index in 0..<10 {
      value = try builder.add(UnaryMath(.negate), [value], results: [.init("\(index)")], label: "negate")[0]
    }
    let sum = try builder.add(Add(), [value, x], results: [.init("sum")], label: "add")[0]
    builder.output(sum)
    let compiled = try Compiler.compile(builder.graph)
    #expect(compiled.plan.byteCount <= 3 * 4096 + 3 * 128)
    let input = try Tensor((0..<1000).map(Float.init), shape: .vector(1000))
    #expect(try compiled.run([input])[0].elements(of: Float.self) == (0..<1000).map { 2 * Float($0) })
  }

  @Test func cancelledRunsStopBetweenNodes() throws {
    var builder = GraphBuilder()
    var value = builder.input("x", try image([4]))
    for index in 0..<5 {
      value = try builder.add(UnaryMath(.abs), [value], results: [.init("\(index)")], label: "abs")[0]
    }
    builder.output(value)
    let workspace = try Compiler.compile(builder.graph).makeWorkspace()
    var questions = 0
    let error = #expect(throws: ApusError.self) {
      try workspace.run(isCancelled: {
        questions += 1
        return questions == 3
      })
    }
    #expect(error?.kind == .cancelled)
    #expect(questions == 3)
  }

  @Test func inputsMustMatch() throws {
    var builder = GraphBuilder()
    let x = builder.input("picture", try image([2, 2]))
    builder.output(try builder.add(Relu(.relu), [x], results: [.init("y")], label: "relu")[0])
    let compiled = try Compiler.compile(builder.graph)
    let error = #expect(throws: ApusError.self) { try compiled.run([Tensor([Float(1)], shape: .vector(1))]) }
    #expect(error?.description.contains("'picture'") == true)
    #expect(throws: ApusError.self) { try compiled.run([]) }
  }

  /// A graph may be built for the elements of an input that its shapes depend on, and then takes no others.
  @Test func knownInputsDecideShapes() throws {
    var builder = GraphBuilder()
    let value = builder.input("value", try image([]))
    let shape = try Tensor([Int32(2), 3], shape: .vector(2))
    let size = builder.input("size", shape.type, known: shape)
    builder.output(try builder.add(Fill(), [size, value], results: [.init("filled")], label: "fill")[0])
    let compiled = try Compiler.compile(builder.graph)
    let seven = try Tensor([Float(7)], shape: .scalar)
    #expect(try compiled.run([seven, shape])[0].shape.dimensions == [2, 3])
    let other = try Tensor([Int32(2), 4], shape: .vector(2))
    let error = #expect(throws: ApusError.self) { try compiled.run([seven, other]) }
    #expect(error?.description.contains("'size'") == true)
  }
}
