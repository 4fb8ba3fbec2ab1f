import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Float32 convolutions multiplied in bfloat16 and int8, on every instruction set and with threads.
@Suite struct NarrowConvolutionTests {
  /// A random convolution with its operands.
  struct Operands {
    let test: ConvolutionTests.Case
    let x, w, bias: [Float]

    init(_ random: inout SeededRandom) {
      test = ConvolutionTests.Case(&random, isDepthwise: false)
      x = random.floats(test.batch * test.height * test.width * test.channels)
      w = random.floats(test.weightShape.reduce(1, *))
      bias = random.floats(test.filters)
    }

    /// Pixels of few channels stay float32.
    var isNarrow: Bool { test.channels / test.groups > 4 }

    func run(_ precision: Precision, _ kernels: KernelSet, threads: Int) throws -> [Float] {
      var builder = GraphBuilder(kernels: kernels)
      let input = try Tensor(x, shape: Shape([test.batch, test.height, test.width, test.channels]))
      let value = builder.input("x", input.type)
      let weights = builder.constant("w", try Tensor(w, shape: Shape(test.weightShape)))
      let convolution = Convolution2D(
        padding: test.padding, strideY: test.strideY, strideX: test.strideX, dilationY: test.dilationY,
        dilationX: test.dilationX, activation: test.activation)
      let y = try builder.add(
        convolution,
        [value, weights, builder.constant("b", try Tensor(bias, shape: .vector(test.filters)))],
        results: [.init("y")], label: "convolution")[0]
      builder.output(y)
      // Only a model with linear layers takes a precision; files are computed in their own numbers.
      let head = builder.constant(
        "head", try Tensor([Float](repeating: 1, count: test.filters), shape: Shape([1, test.filters])))
      builder.output(
        try builder.add(Linear(parts: 1, hasBias: false), [y, head], results: [.init("z")], label: "linear")[
          0])
      var options = CompileOptions()
      options.precision = precision
      options.kernels = kernels
      options.threads = threads
      return try Compiler.compile(builder.graph, options).run([input])[0].elements()
    }

    /// Calls `body` with every result's index, its exact sum of products, bias included and limited, and the sum of
    /// `tolerance(input index, weight index)`.
    func forEachResult(
      _ number: (Float) -> Double, tolerance: (Int, Int) -> Double,
      _ body: (_ index: Int, _ wanted: Double, _ tolerance: Double) -> Void
    ) throws {
      let (vertical, horizontal) = try test.windows()
      let bounds = test.activation.floatRange
      var wanted: [Double] = []
      test.forEachResult(vertical, horizontal, product: { number(x[$0]) * number(w[$1]) }) { filter, sum in
        wanted.append(max(Double(bounds.lower), min(Double(bounds.upper), sum + Double(bias[filter]))))
      }
      var index = 0
      test.forEachResult(vertical, horizontal, product: tolerance) { _, sum in
        body(index, wanted[index], sum)
        index += 1
      }
    }
  }

  /// Sums are those of the operands rounded to bfloat16.
  @Test(arguments: KernelSet.available.filter(\.bfloat16.hasProducts).map(\.name))
  func bfloat16(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for round in 0..<150 {
      let operands = Operands(&random)
      let found = try operands.run(.bfloat16, kernels, threads: round % 2 + 1)
      let isNarrow = operands.isNarrow
      var worst = 0.0
      var count = 0
      try operands.forEachResult({ Double(isNarrow ? $0.roundedToBFloat16 : $0) }, tolerance: { _, _ in 0 }) {
        index, wanted, _ in
        worst = max(worst, abs(Double(found[index]) - wanted))
        count += 1
      }
      #expect(count == found.count)
      #expect(worst < 5e-5, "\(name) \(operands.test) seed \(random.seed)")
    }
  }

  /// Every operand is half a step from its own number at most.
  @Test(arguments: KernelSet.available.map(\.name))
  func integer8(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for round in 0..<150 {
      let operands = Operands(&random)
      let found = try operands.run(.int8, kernels, threads: round % 2 + 1)
      let (x, w) = (operands.x, operands.w)
      let inputStep = Double((x + [0]).reduce(-.infinity, max) - (x + [0]).reduce(.infinity, min)) / 255
      let weightStep = Double(w.map(abs).reduce(0, max)) / 127
      let share = operands.isNarrow ? 0.505 : 0
      var isNear = true
      try operands.forEachResult(
        { Double($0) },
        tolerance: { input, weight in
          let (x, w) = (abs(Double(x[input])), abs(Double(w[weight])))
          return share * (inputStep * (w + weightStep / 2) + weightStep * x)
        }
      ) { index, wanted, tolerance in
        if abs(Double(found[index]) - wanted) > tolerance + 5e-5 { isNear = false }
      }
      #expect(isNear, "\(name) \(operands.test) seed \(random.seed)")
    }
  }

  /// A picture's result is the same in any company.
  @Test(arguments: [Precision.bfloat16, .int8].filter(\.isAvailable))
  func picturesByThemselves(_ precision: Precision) throws {
    var random = SeededRandom()
    let weights = try Tensor(random.floats(24 * 9 * 16), shape: Shape([24, 3, 3, 16]))
    let pictures = (0..<3).map { random.floats(7 * 6 * 16, -Float($0 + 1)...Float($0 + 1)) }
    func run(_ pictures: [[Float]]) throws -> [Float] {
      let input = try Tensor(pictures.flatMap(\.self), shape: Shape([pictures.count, 7, 6, 16]))
      return try Self.compile(input, weights, precision, isFused: true).run([input])[0].elements()
    }
    let together = try run(pictures)
    let alone = try pictures.flatMap { try run([$0]) }
    #expect(together == alone)
  }

  /// What is not finite stays visible in every precision: results are not guessed from what is left.
  @Test(arguments: [Precision.float32, .bfloat16, .int8].filter(\.isAvailable), [1, 3])
  func numbersThatAreNotFiniteSpread(_ precision: Precision, window: Int) throws {
    var random = SeededRandom()
    let x = random.floats(4 * 5 * 8)
    let w = random.floats(8 * window * window * 8)
    for bad in [Float.nan, .infinity, -.infinity] {
      for isInWeights in [false, true] {
        var (images, weights) = (x + x, w)
        if isInWeights { weights[3] = bad } else { images[2 * 5 * 8 + 3] = bad }
        let input = try Tensor(images, shape: Shape([2, 4, 5, 8]))
        let model = try Self.compile(
          input, Tensor(weights, shape: Shape([8, window, window, 8])), precision, isFused: false)
        let convolved: [Float] = try model.run([input])[1].elements()
        let isFinite = convolved.map(\.isFinite)
        #expect(isFinite.prefix(4 * 5 * 8).contains(false), "\(bad) in weights: \(isInWeights)")
        #expect(isFinite.suffix(4 * 5 * 8).contains(false) == isInWeights)
      }
    }
  }

  /// What follows is done as results are stored.
  @Test(arguments: [Precision.bfloat16, .int8].filter(\.isAvailable), [1, 3])
  func residualsAreAbsorbed(_ precision: Precision, window: Int) throws {
    var random = SeededRandom()
    let x = try Tensor(random.floats(2 * 5 * 7 * 24), shape: Shape([2, 5, 7, 24]))
    let w = try Tensor(random.floats(24 * window * window * 24), shape: Shape([24, window, window, 24]))
    let fused = try Self.compile(x, w, precision, isFused: true)
    let apart = try Self.compile(x, w, precision, isFused: false)
    #expect(fused.graph.nodes.count < apart.graph.nodes.count)
    #expect(try fused.run([x])[0].elements(of: Float.self) == apart.run([x])[0].elements(of: Float.self))
  }

  /// The input added to its convolution where shapes allow it, rectified, and a linear layer.
  private static func compile(
    _ x: Tensor, _ w: Tensor, _ precision: Precision, isFused: Bool
  ) throws -> CompiledModel {
    var builder = GraphBuilder()
    let input = builder.input("x", x.type)
    let filters = w.shape[0]
    let convolved = try builder.add(
      Convolution2D(padding: .same), [input, builder.constant("w", w)], results: [.init("c")],
      label: "convolution")[0]
    var result = convolved
    if filters == x.shape[3] {
      result = try builder.add(
        Add(activation: .relu), [input, convolved], results: [.init("s")], label: "add")[0]
    }
    builder.output(result)
    // What is read from outside cannot be absorbed.
    if !isFused { builder.output(convolved) }
    let head = builder.constant(
      "head", try Tensor([Float](repeating: 1, count: filters), shape: Shape([1, filters])))
    builder.output(
      try builder.add(
        Linear(parts: 1, hasBias: false), [result, head], results: [.init("z")], label: "linear")[0])
    var options = CompileOptions()
    options.precision = precision
    return try Compiler.compile(builder.graph, options)
  }
}

extension Float {
  /// The nearest bfloat16, of two the even one.
  fileprivate var roundedToBFloat16: Float {
    Float(bitPattern: (bitPattern &+ 0x7FFF &+ (bitPattern >> 16 & 1)) & 0xFFFF_0000)
  }
}
