import Graph
import TensorCore
import TestSupport
import Testing

/// A graph that spells something out, with random inputs.
struct SpelledGraph {
  private(set) var builder = GraphBuilder(.stated)
  private var random = SeededRandom()
  private var inputs: [Tensor] = []

  mutating func input(_ shape: [Int]) throws -> Value {
    let tensor = try floats(random.floats(shape.reduce(1, *), -2...2), shape)
    inputs.append(tensor)
    return builder.input("input \(inputs.count)", tensor.type)
  }

  /// A constant of random numbers.
  mutating func weights(_ shape: [Int]) throws -> Value {
    builder.constant("weights", try floats(random.floats(shape.reduce(1, *)), shape))
  }

  mutating func number(_ number: Float) throws -> Value {
    builder.constant("\(number)", try floats([number], []))
  }

  mutating func constant(_ tensor: Tensor) -> Value { builder.constant("constant", tensor) }

  mutating func integers(_ elements: [Int32]) throws -> Value {
    builder.constant("integers", try Tensor(elements, shape: .vector(elements.count)))
  }

  mutating func add(_ operation: some Operation, _ operands: Value...) throws -> Value {
    try builder.add(operation, operands, results: [.init(operation.name)], label: operation.name)[0]
  }

  mutating func multiply(_ x: Value, _ factor: Float) throws -> Value {
    try add(Multiply(), x, number(factor))
  }

  mutating func mean(_ x: Value, axes: [Int] = [-1], keepDimensions: Bool = true) throws -> Value {
    try add(Reduce(.mean, axes: axes, keepDimensions: keepDimensions), x)
  }

  mutating func transpose(_ x: Value, _ order: [Int32]) throws -> Value {
    try add(Transpose(), x, integers(order))
  }

  mutating func output(_ values: Value...) { for value in values { builder.output(value) } }

  /// The operations of the compiled graph, whose results are those that it has without fusions.
  func fused() throws -> [String] {
    var options = CompileOptions()
    let fused = try Compiler.compile(builder.graph, options)
    options.fusesOperations = false
    let plain = try Compiler.compile(builder.graph, options)
    for (found, wanted) in zip(try fused.run(inputs), try plain.run(inputs)) {
      #expect(found.shape == wanted.shape)
      let (found, wanted) = (try found.elements(of: Float.self), try wanted.elements(of: Float.self))
      let largest = wanted.map(\.magnitude).max() ?? 0
      let error = zip(found, wanted).map { $0.isNaN && $1.isNaN ? 0 : abs($0 - $1) }.max() ?? 0
      #expect(error <= 1e-5 * largest)
    }
    return fused.graph.nodes.map(\.operation.name)
  }
}
