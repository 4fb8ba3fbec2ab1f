import Graph
import TensorCore
import TestSupport
import Testing

/// Runs of a few nodes at a time, for those who look at what lies between.
@Suite struct SteppedRunTests {
  /// Two convolutions, a sum that is fused with the second, and a reshape that shares its operand's memory.
  private func network() throws -> Graph {
    var builder = GraphBuilder()
    var random = SeededRandom()
    let x = builder.input("x", TensorType(.float32, try Shape([1, 4, 4, 3])))
    let weights = builder.constant("w", try Tensor(random.floats(81), shape: Shape([3, 3, 3, 3])))
    let convolution = Convolution2D(padding: .same)
    let first = try builder.add(convolution, [x, weights], results: [.init("a")], label: "a")[0]
    let second = try builder.add(convolution, [first, weights], results: [.init("b")], label: "b")[0]
    let sum = try builder.add(Add(), [second, first], results: [.init("c")], label: "c")[0]
    builder.output(try builder.add(Reshape(shape: [48]), [sum], results: [.init("d")], label: "d")[0])
    return builder.graph
  }

  private func picture() throws -> Tensor {
    var random = SeededRandom(seed: 5)
    return try Tensor(random.floats(48), shape: Shape([1, 4, 4, 3]))
  }

  private func workspace(fuses: Bool) throws -> Workspace {
    var options = CompileOptions()
    options.fusesOperations = fuses
    return try Compiler.compile(network(), options).makeWorkspace()
  }

  @Test(arguments: [true, false]) func stepsAreARun(fuses: Bool) throws {
    let workspace = try workspace(fuses: fuses)
    #expect(workspace.model.graph.nodes.count == (fuses ? 3 : 4))
    try workspace.setInputs([picture()])
    try workspace.run()
    let expected = try workspace.output(0).elements(of: Float.self)
    try workspace.setInputs([picture()])
    for node in workspace.model.graph.nodes.indices { try workspace.run(nodes: node..<(node + 1)) }
    #expect(try workspace.output(0).elements(of: Float.self) == expected)
  }

  /// What is seen after a node is what the graph gives out when that is its result.
  @Test func everyValueIsThere() throws {
    let stepped = try workspace(fuses: false)
    try stepped.setInputs([picture()])
    for (index, node) in stepped.model.graph.nodes.enumerated() {
      try stepped.run(nodes: index..<(index + 1))
      var graph = try network()
      graph.outputs = node.outputs
      let expected = try Compiler.compile(graph).run([picture()])[0]
      let found = try stepped.tensor(node.outputs[0])
      #expect(found.shape == expected.shape)
      let (a, b) = (try found.elements(of: Float.self), try expected.elements(of: Float.self))
      #expect(zip(a, b).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  /// A run may go on from elements that were put in the place of a value.
  @Test func valuesCanBeReplaced() throws {
    let workspace = try workspace(fuses: false)
    let nodes = workspace.model.graph.nodes
    let ones = try Tensor([Float](repeating: 1, count: 48), shape: Shape([1, 4, 4, 3]))
    try workspace.set(nodes[0].outputs[0], ones)
    try workspace.set(nodes[1].outputs[0], ones)
    try workspace.run(nodes: 2..<4)
    #expect(try workspace.output(0).elements(of: Float.self) == [Float](repeating: 2, count: 48))
  }

  @Test func valuesThatAreFusedAwayAreNotThere() throws {
    let workspace = try workspace(fuses: true)
    let fused = try #require(try network().nodes[1].outputs.first)
    #expect(!workspace.model.holds(fused))
    #expect(throws: ApusError.self) { try workspace.tensor(fused) }
    #expect(throws: ApusError.self) { try workspace.set(fused, picture()) }
    let input = workspace.model.graph.inputs[0]
    #expect(throws: ApusError.self) { try workspace.set(input, Tensor([Float(1)], shape: .scalar)) }
  }
}
