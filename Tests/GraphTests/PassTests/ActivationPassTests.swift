import Graph
import TensorCore
import Testing

/// GELU and hard-swish that are spelled out, and what is nearly so.
@Suite struct ActivationPassTests {
  struct Numbers {
    var root: Float = 0.797_884_6
    var cubic: Float = 0.044_715
    var half: Float = 0.5
    var one: Float = 1
  }

  /// half · x · (one + tanh(root · (x + cubic·x³))); `power` says how x³ is written.
  private func gelu(_ numbers: Numbers, power: Bool, _ graph: inout SpelledGraph) throws -> (
    gate: Value, result: Value
  ) {
    let x = try graph.input([3, 8])
    let cube =
      try power
      ? graph.add(Power(), x, graph.number(3)) : graph.add(Multiply(), graph.add(UnaryMath(.square), x), x)
    let inner = try graph.add(Add(), graph.multiply(cube, numbers.cubic), x)
    let gate = try graph.add(Tanh(), graph.multiply(inner, numbers.root))
    let sum = try graph.add(Add(), gate, graph.number(numbers.one))
    return (gate, try graph.add(Multiply(), graph.multiply(x, numbers.half), sum))
  }

  @Test(arguments: [true, false]) func geluWithTanh(power: Bool) throws {
    var graph = SpelledGraph()
    graph.output(try gelu(Numbers(), power: power, &graph).result)
    #expect(try graph.fused() == ["geluTanh"])
  }

  @Test(arguments: [(1.414_213_5, true), (1.42, false)] as [(Float, Bool)])
  func geluWithErf(_ divisor: Float, _ isFound: Bool) throws {
    var graph = SpelledGraph()
    let x = try graph.input([3, 8])
    let gate = try graph.add(UnaryMath(.erf), graph.add(Divide(), x, graph.number(divisor)))
    let sum = try graph.add(Add(), gate, graph.number(1))
    graph.output(try graph.multiply(graph.add(Multiply(), x, sum), 0.5))
    #expect(try graph.fused().contains("gelu") == isFound)
    #expect(try graph.fused().contains("erf") != isFound)
  }

  @Test func otherNumbersAreNoGELU() throws {
    let others = [Numbers(root: 0.8), Numbers(cubic: 0.0447), Numbers(half: 0.499), Numbers(one: 1.001)]
    for numbers in others {
      var graph = SpelledGraph()
      graph.output(try gelu(numbers, power: false, &graph).result)
      #expect(try graph.fused().contains("tanh"))
    }
  }

  @Test func gatesThatAreReadStay() throws {
    var graph = SpelledGraph()
    let spelled = try gelu(Numbers(), power: false, &graph)
    graph.output(spelled.result, spelled.gate)
    #expect(try graph.fused().contains("tanh"))
    graph = SpelledGraph()
    let other = try gelu(Numbers(), power: false, &graph)
    graph.output(other.result, try graph.add(UnaryMath(.negate), other.gate))
    #expect(try graph.fused().contains("tanh"))
  }

  /// x · 1 / (1 + e^(−factor·x)), or with another value than x before the gate.
  private func sigmoid(_ factor: Float, ofAnother: Bool = false) throws -> SpelledGraph {
    var graph = SpelledGraph()
    let x = try graph.input([3, 8])
    let y = try ofAnother ? graph.input([3, 8]) : x
    graph.output(try graph.add(Multiply(), graph.add(Logistic(), graph.multiply(x, factor)), y))
    return graph
  }

  @Test func geluWithSigmoid() throws {
    #expect(try sigmoid(1.702).fused() == ["geluSigmoid"])
    #expect(try sigmoid(1.7).fused().contains("logistic"))
    #expect(try sigmoid(1.702, ofAnother: true).fused().contains("logistic"))
  }

  /// The gate may come under another shape; the result has that one.
  @Test func shapesMayChangeOnTheWay() throws {
    var graph = SpelledGraph()
    let x = try graph.input([3, 8])
    let gate = try graph.add(Logistic(), graph.multiply(x, 1.702))
    graph.output(try graph.add(Multiply(), x, graph.add(Reshape(shape: [1, 3, 8]), gate)))
    #expect(try graph.fused() == ["geluSigmoid", "reshape"])
  }

  enum Clamp: CaseIterable { case relu6, fused, minimumFirst, maximumFirst, relu }

  /// x · clamp(x + three, 0, 6) / divisor
  private func hardSwish(_ clamp: Clamp, three: Float = 3, divisor: Float = 6) throws -> SpelledGraph {
    var graph = SpelledGraph()
    let x = try graph.input([3, 8])
    let (zero, six) = (try graph.number(0), try graph.number(6))
    let sum = try graph.add(Add(activation: clamp == .fused ? .relu6 : .none), x, graph.number(three))
    let gate =
      switch clamp {
      case .fused: sum
      case .relu6: try graph.add(Relu(.relu6), sum)
      case .minimumFirst: try graph.add(Extremum(.maximum), graph.add(Extremum(.minimum), sum, six), zero)
      case .maximumFirst: try graph.add(Extremum(.minimum), six, graph.add(Extremum(.maximum), zero, sum))
      case .relu: try graph.add(Extremum(.minimum), graph.add(Relu(.relu), sum), six)
      }
    graph.output(try graph.add(Divide(), graph.add(Multiply(), gate, x), graph.number(divisor)))
    return graph
  }

  @Test(arguments: Clamp.allCases) func hardSwishes(clamp: Clamp) throws {
    #expect(try hardSwish(clamp).fused() == ["hardSwish"])
    #expect(try !hardSwish(clamp, three: 2).fused().contains("hardSwish"))
    #expect(try !hardSwish(clamp, divisor: 5).fused().contains("hardSwish"))
  }

  /// A number times its logistic is one node, with the bits of two.
  @Test(arguments: [DataType.float32, .int8, .uint8], [false, true])
  func swishes(type: DataType, gateFirst: Bool) throws {
    let patterns = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    let (input, gateType): (Tensor, TensorType) =
      switch type {
      case .float32: (try floats((0..<300).map { Float($0 - 150) / 9 }), TensorType(.float32, .vector(300)))
      case .int8:
        (
          try integers(patterns.map { Int8(bitPattern: $0) }, scale: 0.05, zeroPoint: -10),
          try quantized(.int8, scale: 1.0 / 256, zeroPoint: -128)
        )
      default:
        (try integers(patterns, scale: 0.05, zeroPoint: 118), try quantized(.uint8, scale: 1.0 / 256))
      }
    var builder = GraphBuilder()
    let x = builder.input("x", input.type)
    let gate = try builder.add(
      Logistic(), [x],
      results: [.init("gate", TensorType(type, input.shape, quantization: gateType.quantization))],
      label: "gate")[0]
    builder.output(
      try builder.add(
        Multiply(), gateFirst ? [gate, x] : [x, gate], results: [.init("y", input.type)], label: "y")[0])
    var options = CompileOptions()
    let fused = try Compiler.compile(builder.graph, options)
    #expect(fused.graph.nodes.map(\.operation.name) == ["swish"])
    options.fusesOperations = false
    let plain = try Compiler.compile(builder.graph, options)
    let (found, wanted) = (try fused.run([input])[0], try plain.run([input])[0])
    switch type {
    case .float32: #expect(try found.elements(of: Float.self) == wanted.elements(of: Float.self))
    case .int8: #expect(try found.elements(of: Int8.self) == wanted.elements(of: Int8.self))
    default: #expect(try found.elements(of: UInt8.self) == wanted.elements(of: UInt8.self))
    }
  }

  /// Whoever else reads the logistic has it, and the logistic of something else is no gate.
  @Test func gatesOfOthersAreNoSwish() throws {
    var graph = SpelledGraph()
    let x = try graph.input([3, 8])
    let gate = try graph.add(Logistic(), x)
    graph.output(try graph.add(Multiply(), x, gate), gate)
    #expect(try graph.fused().contains("logistic"))
    graph = SpelledGraph()
    let (y, z) = (try graph.input([3, 8]), try graph.input([3, 8]))
    graph.output(try graph.add(Multiply(), y, graph.add(Logistic(), z)))
    #expect(try graph.fused().contains("logistic"))
  }

  /// Integers are computed as they are spelled, bit for bit.
  @Test func integersStay() throws {
    var builder = GraphBuilder()
    let type = try TensorType(.int8, Shape([8]), quantization: Quantization(scales: [0.05], zeroPoints: [0]))
    let result = try TensorType(
      .int8, Shape([8]), quantization: Quantization(scales: [1.0 / 256], zeroPoints: [-128]))
    let x = builder.input("x", type)
    let factor = builder.constant("1.702", try integers([Int8(100)], [1], scale: 0.01702))
    let scaled = try builder.add(Multiply(), [x, factor], results: [.init("scaled", type)], label: "scaled")[
      0]
    let gate = try builder.add(Logistic(), [scaled], results: [.init("gate", result)], label: "gate")[0]
    builder.output(try builder.add(Multiply(), [x, gate], results: [.init("y", type)], label: "y")[0])
    #expect(try Compiler.compile(builder.graph).graph.nodes.count == 3)
  }
}
