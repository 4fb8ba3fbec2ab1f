import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Convolutions of random shapes against seven nested loops, on every instruction set and with threads.
@Suite struct ConvolutionTests {
  struct Case: CustomStringConvertible {
    var height, width, channels, filters, kernelHeight, kernelWidth: Int
    var strideY, strideX, dilationY, dilationX, groups, batch: Int
    var padding: Padding
    var isDepthwise: Bool
    var activation: Activation
    var description: String {
      "\(isDepthwise ? "depthwise " : "")\(batch)x\(height)x\(width)x\(channels) -> \(filters), "
        + "\(kernelHeight)x\(kernelWidth) stride \(strideY),\(strideX) dilation \(dilationY),\(dilationX) "
        + "groups \(groups) \(padding) \(activation)"
    }

    init(_ random: inout SeededRandom, isDepthwise: Bool) {
      let kernels =
        [(1, 1), (3, 3), (3, 3), (5, 5), (2, 3), (1, 3)] + (isDepthwise ? [(5, 5), (7, 7)] : [])
      (kernelHeight, kernelWidth) = kernels.randomElement(using: &random) ?? (1, 1)
      (strideY, strideX) = [(1, 1), (1, 1), (2, 2), (1, 2), (3, 2)].randomElement(using: &random) ?? (1, 1)
      (dilationY, dilationX) =
        [(1, 1), (1, 1), (1, 1), (2, 2), (1, 3)].randomElement(using: &random) ?? (1, 1)
      height = Int.random(in: 1...9, using: &random) + (kernelHeight - 1) * dilationY
      width = Int.random(in: 1...11, using: &random) + (kernelWidth - 1) * dilationX
      batch = Int.random(in: 1...2, using: &random)
      self.isDepthwise = isDepthwise
      let size = Int.random(in: 1...40, using: &random)
      let multiplier = [1, 1, 1, 2, 8].randomElement(using: &random) ?? 1
      groups = isDepthwise ? size : [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
      channels = isDepthwise ? size : groups * Int.random(in: 1...20, using: &random)
      filters = isDepthwise ? size * multiplier : groups * Int.random(in: 1...40, using: &random)
      padding =
        [.same, .valid, .explicit(top: 1, bottom: 0, left: 2, right: 1)].randomElement(using: &random)
        ?? .same
      activation = [.none, .relu, .relu6, .reluN1To1].randomElement(using: &random) ?? .none
    }

    var weightShape: [Int] {
      isDepthwise
        ? [1, kernelHeight, kernelWidth, filters] : [filters, kernelHeight, kernelWidth, channels / groups]
    }

    /// Where the weight of a filter, tap and channel (of its group) is stored.
    func weight(_ filter: Int, _ y: Int, _ x: Int, _ channel: Int) -> Int {
      let tap = y * kernelWidth + x
      return isDepthwise
        ? tap * filters + filter : (filter * kernelHeight * kernelWidth + tap) * (channels / groups) + channel
    }

    /// Calls `body` with the sum of `product(input index, weight index)` for every result in order.
    func forEachResult(
      _ vertical: SpatialWindow, _ horizontal: SpatialWindow, product: (Int, Int) -> Double,
      _ body: (_ filter: Int, _ sum: Double) -> Void
    ) {
      let perGroup = channels / groups
      for image in 0..<batch {
        for y in 0..<vertical.outputSize {
          for x in 0..<horizontal.outputSize {
            for filter in 0..<filters {
              var sum = 0.0
              let first = filter / (filters / groups) * perGroup
              for ky in 0..<kernelHeight {
                for kx in 0..<kernelWidth {
                  let iy = y * strideY + ky * dilationY - vertical.padBefore
                  let ix = x * strideX + kx * dilationX - horizontal.padBefore
                  guard iy >= 0, iy < height, ix >= 0, ix < width else { continue }
                  let pixel = ((image * height + iy) * width + ix) * channels + first
                  for channel in 0..<perGroup {
                    sum += product(pixel + channel, weight(filter, ky, kx, channel))
                  }
                }
              }
              body(filter, sum)
            }
          }
        }
      }
    }

    func windows() throws -> (SpatialWindow, SpatialWindow) {
      (
        try SpatialWindow(
          inputSize: height, filterSize: kernelHeight, stride: strideY, dilation: dilationY, padding: padding,
          axis: .height),
        try SpatialWindow(
          inputSize: width, filterSize: kernelWidth, stride: strideX, dilation: dilationX, padding: padding,
          axis: .width)
      )
    }

    /// The result of the operation on `input` with these constants.
    func run(
      _ input: Tensor, _ weights: Tensor, _ bias: Tensor, result: TensorType, kernels: KernelSet, threads: Int
    ) throws -> Tensor {
      var builder = GraphBuilder(kernels: kernels)
      let x = builder.input("x", input.type)
      let operands: [Value?] = [x, builder.constant("w", weights), builder.constant("b", bias)]
      let declaration = [GraphBuilder.Declaration("y", result)]
      let y =
        isDepthwise
        ? try builder.add(
          DepthwiseConvolution2D(
            padding: padding, strideY: strideY, strideX: strideX, dilationY: dilationY, dilationX: dilationX,
            activation: activation), operands, results: declaration, label: "depthwise")
        : try builder.add(
          Convolution2D(
            padding: padding, strideY: strideY, strideX: strideX, dilationY: dilationY, dilationX: dilationX,
            activation: activation), operands, results: declaration, label: "convolution")
      builder.output(y[0])
      var options = CompileOptions()
      options.kernels = kernels
      options.threads = threads
      return try Compiler.compile(builder.graph, options).run([input])[0]
    }
  }

  @Test(arguments: KernelSet.available.map(\.name), [false, true])
  func float32(_ name: String, isDepthwise: Bool) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for round in 0..<150 {
      let test = Case(&random, isDepthwise: isDepthwise)
      let shape = try Shape([test.batch, test.height, test.width, test.channels])
      let x = random.floats(shape.elementCount)
      let weightShape = try Shape(test.weightShape)
      let w = random.floats(weightShape.elementCount)
      let bias = random.floats(test.filters)
      let found: [Float] = try test.run(
        Tensor(x, shape: shape), Tensor(w, shape: weightShape), Tensor(bias, shape: .vector(test.filters)),
        result: TensorType(.float32, .scalar), kernels: kernels, threads: round % 2 + 1
      ).elements()
      let bounds = test.activation.floatRange
      let (vertical, horizontal) = try test.windows()
      var index = 0
      var worst = 0.0
      test.forEachResult(vertical, horizontal, product: { Double(x[$0]) * Double(w[$1]) }) { filter, sum in
        let wanted = max(Double(bounds.lower), min(Double(bounds.upper), sum + Double(bias[filter])))
        worst = max(worst, abs(Double(found[index]) - wanted))
        index += 1
      }
      #expect(index == found.count)
      #expect(worst < 2e-5, "\(name) \(test) seed \(random.seed)")
    }
  }

  @Test(arguments: KernelSet.available.map(\.name), [DataType.int8, .uint8])
  func integer8(_ name: String, _ dataType: DataType) throws {
    let kernels = try KernelSet.named(name)
    try integer8(kernels, dataType, isDepthwise: false)
    try integer8(kernels, dataType, isDepthwise: true)
  }

  private func integer8(_ kernels: KernelSet, _ dataType: DataType, isDepthwise: Bool) throws {
    var random = SeededRandom()
    for round in 0..<100 {
      let test = Case(&random, isDepthwise: isDepthwise)
      let isSigned = dataType == .int8
      let shape = try Shape([test.batch, test.height, test.width, test.channels])
      let weightShape = try Shape(test.weightShape)
      let x = random.bytes(shape.elementCount)
      let w = random.bytes(weightShape.elementCount)
      let bias = (0..<test.filters).map { _ in Int32.random(in: -2000...2000, using: &random) }
      let inputZero = isSigned ? Int32.random(in: -128...127, using: &random) : 131
      let weightZero: Int32 = isSigned ? 0 : [97, 0, 255][round % 3]
      let outputZero = isSigned ? Int32.random(in: -128...20, using: &random) : 7
      let scales = isSigned ? random.floats(test.filters, 0.001...0.02) : [0.0123]
      let input = TensorType(
        dataType, shape, quantization: try Quantization(scales: [0.05], zeroPoints: [inputZero]))
      let weights = TensorType(
        dataType, weightShape,
        quantization: try Quantization(
          scales: scales, zeroPoints: scales.map { _ in weightZero }, axis: isDepthwise ? 3 : 0))
      let result = TensorType(
        dataType, .scalar, quantization: try Quantization(scales: [0.04], zeroPoints: [outputZero]))
      let found: [UInt8] = try test.run(
        Tensor(x, shape: shape).reinterpreted(as: input),
        Tensor(w, shape: weightShape).reinterpreted(as: weights),
        Tensor(bias, shape: .vector(test.filters)), result: result, kernels: kernels, threads: round % 2 + 1
      ).withBytes { Array($0) }
      let range = try test.activation.quantizedRange(for: result.quantization, dataType)
      let value = { (byte: UInt8) in isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte) }
      let (vertical, horizontal) = try test.windows()
      var wanted: [UInt8] = []
      test.forEachResult(
        vertical, horizontal,
        product: { Double((value(x[$0]) - inputZero) * (value(w[$1]) - weightZero)) }
      ) { filter, sum in
        let real =
          isSigned
          ? Double(Float(0.05)) * Double(scales[filter]) / Double(Float(0.04))
          : Double(Float(0.05) * scales[0]) / Double(Float(0.04))
        let scaled = FixedPointMultiplier(real).apply(Int32(sum) + bias[filter]) + outputZero
        wanted.append(UInt8(truncatingIfNeeded: max(range.lowerBound, min(range.upperBound, scaled))))
      }
      #expect(found == wanted, "\(kernels.name) \(dataType) \(test) seed \(random.seed)")
    }
  }

  /// A convolution, an addition and a pad compile to one node, and give what they give apart.
  @Test func padsAndResidualsAreAbsorbed() throws {
    var random = SeededRandom()
    let x = try Tensor(random.floats(5 * 5 * 3), shape: Shape([1, 5, 5, 3]))
    let w = try Tensor(random.floats(3 * 3 * 3 * 3), shape: Shape([3, 3, 3, 3]))
    func build(keepingParts: Bool) throws -> CompiledModel {
      var builder = GraphBuilder()
      let input = builder.input("x", x.type)
      let amounts = builder.constant(
        "pads", try Tensor([Int32]([0, 0, 1, 1, 1, 1, 0, 0]), shape: Shape([4, 2])))
      let padded = try builder.add(Pad(), [input, amounts], results: [.init("p")], label: "pad")[0]
      let convolved = try builder.add(
        Convolution2D(padding: .valid), [padded, builder.constant("w", w)], results: [.init("c")],
        label: "convolution")[0]
      let sum = try builder.add(
        Add(activation: .relu), [input, convolved], results: [.init("s")], label: "add")[0]
      builder.output(sum)
      // What is read from outside cannot be absorbed.
      if keepingParts { [padded, convolved].forEach { builder.output($0) } }
      return try Compiler.compile(builder.graph)
    }
    let fused = try build(keepingParts: false)
    let apart = try build(keepingParts: true)
    #expect(fused.graph.nodes.count == 1)
    #expect(apart.graph.nodes.count == 3)
    #expect(try fused.run([x])[0].elements(of: Float.self) == apart.run([x])[0].elements(of: Float.self))
  }
}
