import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Scales and offsets of quantized channels that become one node, and those that do not.
@Suite struct QuantizedScalePassTests {
  /// Batch normalization spelled out as a product and a sum, of bytes whose scales are drawn.
  private struct Spelled {
    var builder: GraphBuilder
    let x: Tensor

    init<Element: FixedWidthInteger & TensorElement>(
      _: Element.Type, channels: Int, _ activation: Activation, offsetScale: Float? = nil,
      resultZeroPoint: Int32, isProductRead: Bool = false, _ random: inout SeededRandom
    ) throws {
      let zeroPoints = Int32(Element.min)...Int32(Element.max)
      func quantization(_ scale: ClosedRange<Float>) throws -> Quantization {
        try Quantization(
          scales: [Float.random(in: scale, using: &random)],
          zeroPoints: [Int32.random(in: zeroPoints, using: &random)])
      }
      func bytes(_ shape: [Int], _ quantization: Quantization) throws -> Tensor {
        let count = shape.reduce(1, *)
        // Every byte is there where there is room.
        let elements = (0..<count).map { Element(truncatingIfNeeded: $0 &* 97 &+ $0 / 256) }
        return try Tensor(elements.shuffled(using: &random), shape: Shape(shape), quantization: quantization)
      }
      x = try bytes([2, 150, channels], quantization(0.01...0.1))
      let scale = try bytes([channels], quantization(0.001...0.05))
      let offset = try bytes([1, channels], quantization((offsetScale ?? 0.01)...(offsetScale ?? 0.1)))
      let between = try quantization(0.01...0.1)
      let result = try Quantization(
        scales: [Float.random(in: 0.02...0.2, using: &random)], zeroPoints: [resultZeroPoint])
      builder = GraphBuilder()
      let product = try builder.add(
        Multiply(), [builder.constant("scale", scale), builder.input("x", x.type)],
        results: [.init("product", TensorType(x.dataType, x.shape, quantization: between))], label: "product")[
          0]
      let sum = try builder.add(
        Add(activation: activation), [product, builder.constant("offset", offset)],
        results: [.init("sum", TensorType(x.dataType, x.shape, quantization: result))], label: "sum")[0]
      builder.output(sum)
      if isProductRead { builder.output(product) }
    }

    func compiled(_ kernels: KernelSet, fuses: Bool) throws -> CompiledModel {
      var options = CompileOptions()
      options.kernels = kernels
      options.fusesOperations = fuses
      return try Compiler.compile(builder.graph, options)
    }

    /// The operations with fusions, whose results are those without.
    func fused(_ kernels: KernelSet = .best) throws -> [String] {
      let fused = try compiled(kernels, fuses: true)
      let found = try fused.run([x])
      let wanted = try compiled(kernels, fuses: false).run([x])
      #expect(zip(found, wanted).allSatisfy { $0.type == $1.type && $0.bytes.elementsEqual($1.bytes) })
      return fused.graph.nodes.map(\.operation.name)
    }
  }

  /// Limits of results that are not those of their type have no lines: they are tables.
  @Test(arguments: KernelSet.available.map(\.name), [Activation.none, .relu, .relu6])
  func bytesStay(_ name: String, _ activation: Activation) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for channels in [1, 3, 4, 15, 16, 17, 40, 300] {
      for zeroPoint: Int32 in [-128, 5] {
        let signed = try Spelled(
          Int8.self, channels: channels, activation, resultZeroPoint: zeroPoint, &random)
        #expect(try signed.fused(kernels) == ["scaleAndShift"], "\(channels), seed \(random.seed)")
        let unsigned = try Spelled(
          UInt8.self, channels: channels, activation, resultZeroPoint: zeroPoint + 128, &random)
        #expect(try unsigned.fused(kernels) == ["scaleAndShift"], "\(channels), seed \(random.seed)")
      }
    }
  }

  /// Multipliers over 1, and offsets that are beyond every byte.
  @Test func extremeScalesStay() throws {
    var random = SeededRandom()
    for offsetScale: Float in [1e-6, 30] {
      let spelled = try Spelled(
        Int8.self, channels: 33, .none, offsetScale: offsetScale, resultZeroPoint: 0, &random)
      #expect(try spelled.fused() == ["scaleAndShift"], "seed \(random.seed)")
    }
  }

  @Test func productsThatAreReadStay() throws {
    var random = SeededRandom()
    let spelled = try Spelled(
      Int8.self, channels: 6, .none, resultZeroPoint: 0, isProductRead: true, &random)
    #expect(try spelled.fused() == ["multiply", "add"])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try integers([Int8](repeating: 1, count: 4), [2, 2], scale: 1)
    let two = try integers([Int8(1), 2], scale: 0.5)
    let quantization = try Quantization(scales: [1], zeroPoints: [0])
    let operation = QuantizedScaleAndShift(product: quantization, result: quantization)
    #expect(try evaluate(operation, [x, two, two]).elements(of: Int8.self) == [2, 2, 2, 2])
    let three = try integers([Int8(1), 2, 3], scale: 1)
    #expect(try refusal(operation, [x, two, three]).problem.contains("the offset"))
    #expect(try refusal(operation, [x, three, two]).problem.contains("the scale"))
    #expect(throws: ApusError.self) {
      try evaluate(operation, [x, two, try integers([UInt8(1), 2], scale: 1)])
    }
    let curved = QuantizedScaleAndShift(product: quantization, result: quantization, activation: .tanh)
    #expect(try refusal(curved, [x, two, two]).kind == .unsupportedModel)
  }
}
