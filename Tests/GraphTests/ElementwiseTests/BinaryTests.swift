import Graph
import TensorCore
import TestSupport
import Testing

/// Binary operations worked by hand, their broadcasting, and what they refuse.
@Suite struct BinaryTests {
  @Test func rowsAndColumnsBroadcast() throws {
    let sum = try evaluate(Add(), [floats([1, 2, 3], [3, 1]), floats([10, 20], [2])])
    #expect(sum.shape.dimensions == [3, 2])
    #expect(try sum.elements(of: Float.self) == [11, 21, 12, 22, 13, 23])
  }

  @Test func fusedActivationClamps() throws {
    let difference = try evaluate(Subtract(activation: .relu6), [floats([9, 1, 4]), floats([1, 2, 1])])
    #expect(try difference.elements(of: Float.self) == [6, 0, 3])
  }

  /// Whatever the shapes, a broadcast operation pairs the elements that the index rule of NumPy pairs.
  @Test(arguments: 0..<200)
  func broadcastingFollowsTheIndexRule(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rank = Int.random(in: 0...6, using: &random)
    // Rows of more numbers than are repeated at a time, and short ones of which several are.
    let full =
      (0..<rank).map { _ in [0, 1, 1, 2, 3, 5].randomElement(using: &random) ?? 1 }
      + [[1, 2, 7, 40, 130, 1100].randomElement(using: &random) ?? 1]
    let shapes = (0..<2).map { _ in
      full.dropFirst(Int.random(in: 0...rank, using: &random)).map { Bool.random(using: &random) ? $0 : 1 }
    }
    let (a, b) = (try Shape(Array(shapes[0])), try Shape(Array(shapes[1])))
    try subtract(a, b, Float.self) { $0 - $1 }
    try subtract(a, b, Int16.self, &-)
    try subtract(a, b, Int32.self, &-)
    try subtract(a, b, Int64.self, &-)
    try check(BitwiseXor(), a, b, UInt8.self, ^)
  }

  private func subtract<Element: TensorElement & Numeric>(
    _ a: Shape, _ b: Shape, _: Element.Type, _ rule: (Element, Element) -> Element
  ) throws {
    try check(Subtract(), a, b, Element.self, rule)
  }

  private func check<Element: TensorElement & Numeric>(
    _ operation: any Operation, _ a: Shape, _ b: Shape, _: Element.Type, _ rule: (Element, Element) -> Element
  ) throws {
    let result = try a.broadcast(with: b)
    let x = (0..<a.elementCount).map { Element(exactly: $0 % 120) ?? 0 }
    let y = (0..<b.elementCount).map { Element(exactly: $0 * 7 % 127) ?? 0 }
    let found = try evaluate(operation, [Tensor(x, shape: a), Tensor(y, shape: b)])
    #expect(found.shape == result)
    let wanted = (0..<result.elementCount).map { index in
      rule(x[Self.source(index, of: a, in: result)], y[Self.source(index, of: b, in: result)])
    }
    #expect(
      try found.elements(of: Element.self) == wanted, "\(operation.name) \(Element.self): \(a) and \(b)")
  }

  /// Bytes pair as the index rule says too, in rows of every length that vectors, and copies of short rows, are tried on.
  @Test(arguments: 0..<300)
  func quantizedBytesFollowTheIndexRule(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rank = Int.random(in: 1...4, using: &random)
    let full =
      (0..<rank).map { _ in [1, 2, 3, 16, 17, 40].randomElement(using: &random) ?? 1 }
      + [[1, 3, 16, 33, 64, 479, 480, 481, 1100].randomElement(using: &random) ?? 1]
    let shapes = (0..<2).map { _ in
      full.dropFirst(Int.random(in: 0...rank, using: &random)).map {
        Int.random(in: 0..<4, using: &random) > 0 ? $0 : 1
      }
    }
    let (a, b) = (try Shape(Array(shapes[0])), try Shape(Array(shapes[1])))
    let result = try a.broadcast(with: b)
    guard result.elementCount < 1 << 19 else { return }
    let first = try integers(random.bytes(a.elementCount), a.dimensions, scale: 0.04, zeroPoint: 100)
    let second = try integers(random.bytes(b.elementCount), b.dimensions, scale: 0.07, zeroPoint: 3)
    let type = try quantized(.uint8, scale: 0.06, zeroPoint: 90)
    let (x, y) = (try first.elements(of: UInt8.self), try second.elements(of: UInt8.self))
    let rules: [(any Operation, (Int32, Int32) -> Int32)] = [
      try (Add(), additionRule(first.type, second.type, type, subtracts: false)),
      try (Subtract(), additionRule(first.type, second.type, type, subtracts: true)),
      try (Multiply(), multiplicationRule(first.type, second.type, type)),
    ]
    for (operation, rule) in rules {
      let found = try evaluate(operation, [first, second], result: type).elements(of: UInt8.self)
      let wanted = (0..<result.elementCount).map { index in
        UInt8(
          truncatingIfNeeded: rule(
            Int32(x[Self.source(index, of: a, in: result)]), Int32(y[Self.source(index, of: b, in: result)])))
      }
      #expect(found == wanted, "seed \(seed): \(operation.name), \(a) and \(b)")
    }
  }

  private func additionRule(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, subtracts: Bool
  ) throws -> (Int32, Int32) -> Int32 {
    let rule = try QuantizedAddParameters(first, second, result, .none, subtracts: subtracts)
    return { rule($0, $1) }
  }

  private func multiplicationRule(
    _ first: TensorType, _ second: TensorType, _ result: TensorType
  ) throws -> (Int32, Int32) -> Int32 {
    let rule = try QuantizedProduct(first, second, result, .none)
    return { rule($0, $1) }
  }

  /// The element of an operand that element `index` of the result reads.
  private static func source(_ index: Int, of operand: Shape, in result: Shape) -> Int {
    var (rest, source, stride) = (index, 0, 1)
    for axis in (0..<result.rank).reversed() {
      let position = rest % result[axis]
      rest /= result[axis]
      let own = axis - (result.rank - operand.rank)
      guard own >= 0 else { continue }
      source += operand[own] == 1 ? 0 : position * stride
      stride *= operand[own]
    }
    return source
  }

  @Test func integersWrapAndNeverTrap() throws {
    let a = try integers([Int32.max, .min, .min])
    let b = try integers([Int32(1), 1, -1])
    #expect(try evaluate(Add(), [a, b]).elements(of: Int32.self) == [.min, .min + 1, .max])
    #expect(try evaluate(Subtract(), [a, b]).elements(of: Int32.self) == [.max - 1, .max, .min + 1])
    #expect(try evaluate(Multiply(), [a, b]).elements(of: Int32.self) == [.max, .min, .min])
    #expect(try evaluate(Divide(), [a, b]).elements(of: Int32.self) == [.max, .min, .min])
    #expect(try evaluate(FloorDivide(), [a, b]).elements(of: Int32.self) == [.max, .min, .min])
    #expect(try evaluate(FloorModulo(), [a, b]).elements(of: Int32.self) == [0, 0, 0])
    #expect(try evaluate(SquaredDifference(), [a, b]).elements(of: Int32.self).count == 3)
  }

  @Test func floorDivisionRoundsDownAndTheRestHasTheDivisorsSign() throws {
    let a = try integers([Int32(7), -7, 7, -7])
    let b = try integers([Int32(2), 2, -2, -2])
    #expect(try evaluate(FloorDivide(), [a, b]).elements(of: Int32.self) == [3, -4, -4, 3])
    #expect(try evaluate(FloorModulo(), [a, b]).elements(of: Int32.self) == [1, 1, -1, -1])
  }

  @Test func divisionByZeroIsAnErrorThatNamesTheElement() throws {
    let zero = try integers([Int32(1), 0])
    for operation in [Divide(), FloorDivide(), FloorModulo()] as [any Operation] {
      let error = try refusal(operation, [zero, zero])
      #expect(error.kind == .argument && error.problem.contains("element 1"))
    }
    let quantizedZero = try integers([Int8(3)], scale: 1, zeroPoint: 3)
    #expect(
      try refusal(Divide(), [quantizedZero, quantizedZero], result: quantized(.int8, scale: 1)).kind
        == .argument)
    let infinite = try evaluate(Divide(), [floats([1]), floats([0])])
    #expect(try infinite.elements(of: Float.self) == [.infinity])
  }

  /// With one scale and zero points 0 the quantized sum is the sum of the stored numbers, clamped.
  @Test func quantizedSumOfEqualScalesAddsTheStoredNumbers() throws {
    let a = try integers([Int8(100), -100, 3], scale: 0.5)
    let b = try integers([Int8(100), -100, -4], scale: 0.5)
    let sum = try evaluate(Add(), [a, b], result: quantized(.int8, scale: 0.5))
    #expect(try sum.elements(of: Int8.self) == [127, -128, -1])
  }

  @Test func extremaComparisonsAndLogic() throws {
    let a = try floats([1, .nan, 3])
    let b = try floats([2, 2, -3])
    #expect(try evaluate(Extremum(.maximum), [a, b]).elements(of: Float.self) == [2, 2, 3])
    #expect(try evaluate(Extremum(.minimum), [a, b]).elements(of: Float.self) == [1, 2, -3])
    let less = try evaluate(Compare(.less), [a, b])
    #expect(less.dataType == .bool)
    #expect(try less.elements(of: Bool.self) == [true, false, false])
    let either = try evaluate(LogicalBinary(.or), [less, try integers([false, false, true])])
    #expect(try either.elements(of: Bool.self) == [true, false, true])
    #expect(try evaluate(LogicalNot(), [either]).elements(of: Bool.self) == [false, true, false])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2])
    #expect(try refusal(Add(), [x, try floats([1, 2, 3])]).problem.contains("do not broadcast"))
    let mixed = try refusal(Add(), [x, try integers([Int32(1)])])
    #expect(mixed.problem == "input 1 is a tensor of int32" && mixed.expected == "float32")
    #expect(try refusal(Add(), [x]).expected == "2")
    #expect(try refusal(Add(activation: .tanh), [x, x]).kind == .unsupportedModel)
    let bytes = try integers([Int8(1)])
    #expect(try refusal(Add(), [bytes, bytes]).problem.contains("no scale"))
    let good = try integers([Int8(1)], scale: 1)
    let bad = try quantized(.int8, scale: 1, zeroPoint: 200)
    #expect(try refusal(Multiply(), [good, good], result: bad).problem.contains("zero point 200"))
    #expect(try refusal(Add(), [x, x], result: quantized(.int8, scale: 1)).expected == "float32")
  }

  @Test func emptyTensorsGiveEmptyResults() throws {
    let empty = try floats([], [2, 0])
    #expect(try evaluate(Add(), [empty, floats([1])]).shape.dimensions == [2, 0])
    #expect(try evaluate(Power(), [floats([1]), empty]).shape.dimensions == [2, 0])
  }
}
