import struct Foundation.Data
import Graph
import TensorCore
import TestSupport
import Testing

/// Cases of operators that move elements, with a few of their operands altered, which gets further than random ones:
/// each time there is a result or an ``ApusError``, never a trap.
@Suite struct AlteredOperandTests {
  @Test(arguments: 0..<10)
  func alteredOperandsGiveAResultOrAnError(_ round: Int) throws {
    let seed = UInt64(round) &* 104_729 &+ 7
    var random = SeededRandom(seed: seed)
    var answered = 0
    for vector in try OperatorVector.family("movement") {
      let operation = try vector.operation()
      for _ in 0..<4 {
        do {
          if try Self.run(operation, Self.altered(vector.inputs, &random), &random, vector.outputs.count) {
            answered += 1
          }
        } catch is ApusError {}
      }
    }
    #expect(answered > 100, "seed \(seed)")
  }

  /// - Returns: whether it ran: not when the results are so large, though allowed, that it would take long.
  private static func run(
    _ operation: any Operation, _ inputs: [OperatorVector.Entry], _ random: inout SeededRandom, _ results: Int
  ) throws -> Bool {
    // Constants have memory of their own, in which a sanitizer sees an access out of bounds.
    let folds = Bool.random(using: &random)
    var builder = GraphBuilder()
    var (operands, given): ([Value], [Tensor]) = ([], [])
    for (index, input) in inputs.enumerated() {
      let tensor = try input.tensor
      if folds || input.constant == true && Int.random(in: 0..<16, using: &random) > 0 {
        operands.append(builder.constant("operand \(index)", tensor))
      } else {
        operands.append(builder.input("operand \(index)", tensor.type))
        given.append(tensor)
      }
    }
    let declarations = (0..<results).map { GraphBuilder.Declaration("result \($0)", nil) }
    for value in try builder.add(operation, operands, results: declarations, label: operation.name) {
      guard builder[value].type.byteCount <= 1 << 24 else { return false }
      builder.output(value)
    }
    var options = CompileOptions()
    options.threads = 1
    _ = try Compiler.compile(builder.graph, options).run(given)
    return true
  }

  private static func altered(
    _ inputs: [OperatorVector.Entry], _ random: inout SeededRandom
  ) throws -> [OperatorVector.Entry] {
    var inputs = inputs
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let index = Int.random(in: 0..<inputs.count, using: &random)
      let type = try inputs[index].dataType
      let width = type.byteCount
      var elements = stride(from: 0, to: inputs[index].data.count, by: width).map { start in
        Array(Array(inputs[index].data)[start..<start + width])
      }
      var shape = inputs[index].shape
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !elements.isEmpty:
        elements[Int.random(in: 0..<elements.count, using: &random)] = bytes(edge(&random), type)
      case 1 where !shape.isEmpty:
        shape[Int.random(in: 0..<shape.count, using: &random)] = Int.random(in: 0...4, using: &random)
      case 2: shape.insert(Int.random(in: 0...2, using: &random), at: 0)
      default: _ = shape.popLast()
      }
      let filled = (0..<shape.reduce(1, *)).flatMap { position in
        elements.isEmpty ? bytes(1, type) : elements[position % elements.count]
      }
      inputs[index].shape = shape
      inputs[index].data = Data(filled)
    }
    if inputs.count > 1, Int.random(in: 0..<16, using: &random) == 0 { inputs.removeLast() }
    return inputs
  }

  private static func edge(_ random: inout SeededRandom) -> Int {
    let edges = [Int.min, Int(Int32.min), -1, 0, 1, Int(Int32.max), Int.max]
    return Bool.random(using: &random)
      ? Int.random(in: -2...4, using: &random) : edges.randomElement(using: &random) ?? 0
  }

  private static func bytes(_ value: Int, _ type: DataType) -> [UInt8] {
    let all: [UInt8] =
      switch type {
      case .float32: TFLiteModelBuilder.bytes(Float(value).bitPattern)
      case .float64: TFLiteModelBuilder.bytes(Double(value).bitPattern)
      case .bool: [UInt8(value & 1)]
      default: TFLiteModelBuilder.bytes(value)
      }
    return Array(all.prefix(type.byteCount))
  }
}
