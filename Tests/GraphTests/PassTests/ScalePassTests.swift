import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Scales and offsets of channels that become one node, and those that do not.
@Suite struct ScalePassTests {
  @Test(arguments: [Activation.none, .relu, .relu6])
  func numbersStayToTheBit(_ activation: Activation) throws {
    var random = SeededRandom()
    for channels in [1, 3, 4, 15, 16, 17, 40] {
      var numbers = random.floats(2 * 3 * 5 * channels, -9...9)
      for special in [Float.nan, .infinity, -.infinity, -0.0] {
        numbers[Int.random(in: 0..<numbers.count, using: &random)] = special
      }
      let x = try floats(numbers, [2, 3, 5, channels])
      let (scale, offset) = (random.floats(channels), random.floats(channels))
      for kernels in KernelSet.available {
        var builder = GraphBuilder(kernels: kernels)
        // The same constant as [C] and as [1, 1, C], and as either operand.
        let product = try builder.add(
          Multiply(), [builder.constant("scale", try floats(scale)), builder.input("x", x.type)],
          results: [.init("product")], label: "product")[0]
        let sum = try builder.add(
          Add(activation: activation),
          [product, builder.constant("offset", try floats(offset, [1, 1, channels]))],
          results: [.init("sum")], label: "sum")[0]
        builder.output(sum)
        var options = CompileOptions()
        options.kernels = kernels
        let fused = try Compiler.compile(builder.graph, options)
        #expect(fused.graph.nodes.map(\.operation.name) == ["scaleAndShift"])
        options.fusesOperations = false
        let spelled = try Compiler.compile(builder.graph, options)
        #expect(spelled.graph.nodes.count == 2)
        let found = try fused.run([x])[0].elements(of: Float.self)
        let wanted = try spelled.run([x])[0].elements(of: Float.self)
        #expect(
          found.map(\.bitPattern) == wanted.map(\.bitPattern),
          "\(kernels.name), \(channels), seed \(random.seed)")
      }
    }
  }

  @Test func whatIsReadOrBroadcastOtherwiseStays() throws {
    /// The sum of a product, of factors of some shapes.
    func spelled(_ x: [Int], _ scale: [Int], _ offset: [Int], isRead: Bool = false) throws -> SpelledGraph {
      var graph = SpelledGraph()
      let product = try graph.add(Multiply(), graph.input(x), graph.weights(scale))
      graph.output(try graph.add(Add(), product, graph.weights(offset)))
      if isRead { graph.output(product) }
      return graph
    }
    #expect(try spelled([2, 4, 6], [6], [6]).fused() == ["scaleAndShift"])
    #expect(try spelled([2, 4, 6], [6], [6], isRead: true).fused() == ["multiply", "add"])
    #expect(try spelled([2, 4, 6], [1], [6]).fused() == ["multiply", "add"])
    #expect(try spelled([2, 4, 6], [6], [4, 1]).fused() == ["multiply", "add"])
    #expect(try spelled([2, 4, 6], [4, 6], [6]).fused() == ["multiply", "add"])
    // The constants make the result larger than x.
    #expect(try spelled([1, 1], [6], [6]).fused() == ["multiply", "add"])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2, 3, 4], [2, 2])
    let two = try floats([1, 2])
    #expect(try refusal(ScaleAndShift(), [x, two, try floats([1, 2, 3])]).problem.contains("the offset"))
    #expect(try refusal(ScaleAndShift(), [x, try floats([1], [1]), two]).problem.contains("the scale"))
    #expect(try refusal(ScaleAndShift(activation: .tanh), [x, two, two]).kind == .unsupportedModel)
  }
}
