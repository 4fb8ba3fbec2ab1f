import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Layers of int16 activations and int8 weights against exact sums, on every instruction set and with threads.
@Suite struct Integer16LayerTests {
  private static let sets = KernelSet.available.map(\.name)

  /// Any numbers, the least and the greatest more often than others.
  private static func words(_ count: Int, _ random: inout SeededRandom) -> [Int16] {
    (0..<count).map { _ in
      let word = Int16.random(in: .min ... .max, using: &random)
      return word % 16 == 0 ? (word < 0 ? .min : .max) : word
    }
  }

  private static func weights(_ count: Int, _ random: inout SeededRandom) -> [Int8] {
    (0..<count).map { _ in
      let byte = Int8.random(in: .min ... .max, using: &random)
      return byte % 16 == 0 ? (byte < 0 ? .min : .max) : byte
    }
  }

  /// Convolutions with every bias that there is: of 64 bits, which kernels compute, and of 32 bits, which wraps.
  @Test(arguments: sets, [false, true])
  func convolutions(_ name: String, isDepthwise: Bool) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for round in 0..<150 {
      let test = ConvolutionTests.Case(&random, isDepthwise: isDepthwise)
      let is32Bit = round % 5 == 4
      let shape = try Shape([test.batch, test.height, test.width, test.channels])
      let weightShape = try Shape(test.weightShape)
      let x = Self.words(shape.elementCount, &random)
      let w = Self.weights(weightShape.elementCount, &random)
      let most: Int64 = is32Bit ? 2_000_000 : 1 << 36
      let bias = (0..<test.filters).map { _ in Int64.random(in: -most...most, using: &random) }
      let scales = random.floats(test.filters, 0.000001...0.002)
      let input = TensorType(.int16, shape, quantization: try Quantization(scales: [0.05], zeroPoints: [0]))
      let weights = TensorType(
        .int8, weightShape,
        quantization: try Quantization(
          scales: scales, zeroPoints: scales.map { _ in 0 }, axis: isDepthwise ? 3 : 0))
      let result = TensorType(
        .int16, .scalar, quantization: try Quantization(scales: [0.04], zeroPoints: [0]))
      let found: [Int16] = try test.run(
        Tensor(x, shape: shape).reinterpreted(as: input),
        Tensor(w, shape: weightShape).reinterpreted(as: weights),
        is32Bit
          ? Tensor(bias.map { Int32($0) }, shape: .vector(test.filters))
          : Tensor(bias, shape: .vector(test.filters)),
        result: result, kernels: kernels, threads: round % 2 + 1
      ).elements()
      let range = try test.activation.quantizedRange(for: result.quantization, .int16)
      let (vertical, horizontal) = try test.windows()
      var wanted: [Int16] = []
      test.forEachResult(vertical, horizontal, product: { Double(x[$0]) * Double(w[$1]) }) { filter, sum in
        let real = Double(Float(0.05)) * Double(scales[filter]) / Double(Float(0.04))
        let multiplier = FixedPointMultiplier(real)
        let total = Int64(sum) + bias[filter]
        let scaled =
          is32Bit ? multiplier.apply(Int32(truncatingIfNeeded: total)) : multiplier.apply(wide: total)
        wanted.append(Int16(max(range.lowerBound, min(range.upperBound, scaled))))
      }
      #expect(found == wanted, "\(name) \(test) 32 bits \(is32Bit) seed \(random.seed)")
    }
  }

  /// Fully connected layers of depths on both sides of what 32 bits hold, with the greatest products among them.
  @Test(arguments: sets, [1, 2, 17, 509, 510, 511, 512, 1020, 1021, 1300])
  func fullyConnected(_ name: String, _ depth: Int) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, columns) in [(1, 1), (1, 33), (2, 17), (13, 40), (25, 5), (30, 70)] {
      var x = Self.words(rows * depth, &random)
      var w = Self.weights(columns * depth, &random)
      for index in 0..<depth { (x[index], w[index]) = (.min, .min) }
      let bias = (0..<columns).map { _ in Int64.random(in: -(1 << 33)...1 << 33, using: &random) }
      let scales = random.floats(columns, 0.000001...0.0001)
      let multipliers = scales.map {
        FixedPointMultiplier(Double(Float(0.05)) * Double($0) / Double(Float(0.04)))
      }
      let found = try run(x, w, bias, scales, rows: rows, columns: columns, kernels: kernels)
      var wanted: [Int16] = []
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = bias[column]
          for k in 0..<depth { sum += Int64(x[row * depth + k]) * Int64(w[column * depth + k]) }
          wanted.append(Int16(clamping: multipliers[column].applyOnce(sum)))
        }
      }
      #expect(found == wanted, "\(name) \(rows)x\(depth)x\(columns) seed \(random.seed)")
    }
  }

  private func run(
    _ x: [Int16], _ w: [Int8], _ bias: [Int64], _ scales: [Float], rows: Int, columns: Int, kernels: KernelSet
  ) throws -> [Int16] {
    let depth = x.count / rows
    let input = TensorType(
      .int16, try Shape([rows, depth]), quantization: try Quantization(scales: [0.05], zeroPoints: [0]))
    let weights = TensorType(
      .int8, try Shape([columns, depth]),
      quantization: try Quantization(scales: scales, zeroPoints: scales.map { _ in 0 }, axis: 0))
    let result = TensorType(.int16, .scalar, quantization: try Quantization(scales: [0.04], zeroPoints: [0]))
    var builder = GraphBuilder(kernels: kernels)
    let operands: [Value?] = [
      builder.input("x", input),
      builder.constant("w", try Tensor(w, shape: weights.shape).reinterpreted(as: weights)),
      builder.constant("b", try Tensor(bias, shape: .vector(columns))),
    ]
    let y = try builder.add(FullyConnected(), operands, results: [.init("y", result)], label: "layer")
    builder.output(y[0])
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = 2
    return try Compiler.compile(builder.graph, options).run([
      Tensor(x, shape: input.shape).reinterpreted(as: input)
    ])[0]
    .elements()
  }
}
