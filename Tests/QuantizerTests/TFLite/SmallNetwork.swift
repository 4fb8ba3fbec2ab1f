import Foundation
import Models
import TensorCore
import TestSupport

@testable import Formats
@testable import Quantizer

/// A small network of the operators of MobileNets, with random weights.
///
/// Input [1, 8, 8, 3]: convolution with relu6, padding, depthwise convolution with stride 2, 1 × 1 convolution, a
/// branch around it that is added, concatenation with a pooled form, mean, fully connected, softmax.
struct SmallNetwork {
  var draft = TFLiteDraft()
  private var random = SeededRandom()

  static let channels = 6
  static let classes = 4

  init() {
    let c = Self.channels
    let x = activation("x", [1, 8, 8, 3])
    let stem = activation("stem", [1, 8, 8, c])
    add(.CONV_2D, [x, weights("w1", [c, 3, 3, 3]), weights("b1", [c])], stem, conv(.same, .relu6))
    let padded = activation("padded", [1, 9, 9, c])
    add(.PAD, [stem, integers("amounts", [4, 2], [0, 0, 0, 1, 0, 1, 0, 0])], padded)
    let narrow = activation("narrow", [1, 4, 4, c])
    add(
      .DEPTHWISE_CONV_2D, [padded, weights("w2", [1, 3, 3, c]), weights("b2", [c])], narrow,
      DepthwiseConv2DOptions(
        padding: .valid, stride: .init(height: 2, width: 2), activation: .relu, depthMultiplier: 1))
    let linear = activation("linear", [1, 4, 4, c])
    add(.CONV_2D, [narrow, weights("w3", [c, 1, 1, c]), weights("b3", [c])], linear, conv(.valid, .none))
    let sum = activation("sum", [1, 4, 4, c])
    add(.ADD, [linear, narrow], sum, AdditionOptions())
    let pooled = activation("pooled", [1, 4, 4, c])
    let window = Pool2DOptions(filter: .init(height: 2, width: 2))
    add(.MAX_POOL_2D, [sum], pooled, window)
    let both = activation("both", [1, 4, 4, 2 * c])
    add(.CONCATENATION, [sum, pooled], both, ConcatenationOptions(axis: 3))
    let mean = activation("mean", [1, 2 * c])
    add(.MEAN, [both, integers("axes", [2], [1, 2])], mean, ReducerOptions())
    let logits = activation("logits", [1, Self.classes])
    add(
      .FULLY_CONNECTED,
      [mean, weights("w4", [Self.classes, 2 * c], spread: 3), weights("b4", [Self.classes])],
      logits, FullyConnectedOptions())
    let scores = activation("scores", [1, Self.classes])
    add(.SOFTMAX, [logits], scores, SoftmaxOptions(beta: 1))
    draft.inputs = [x]
    draft.outputs = [scores]
    draft.signatures = [.init(key: "serve", inputs: [("image", x)], outputs: [("scores", scores)])]
    draft.metadata = [("NOTE", [1, 2, 3]), ("min_runtime_version", [0x31])]
  }

  private mutating func activation(_ name: String, _ shape: [Int]) -> Int {
    draft.add(.init(name, .float32, shape))
  }

  /// Random weights; those of the outermost slices are spread more and more, so that channels differ.
  private mutating func weights(_ name: String, _ shape: [Int], spread: Float = 1) -> Int {
    let values = random.floats(shape.reduce(1, *)).enumerated().map { index, value in
      value * spread * (0.2 + Float(index % 7) / 4)
    }
    return draft.add(.init(name, .float32, shape, data: Self.bytes(values)))
  }

  private mutating func integers(_ name: String, _ shape: [Int], _ values: [Int32]) -> Int {
    draft.add(.init(name, .int32, shape, data: values.flatMap { TFLiteModelBuilder.bytes($0) }))
  }

  private mutating func add(
    _ builtin: TFLiteBuiltin, _ inputs: [Int], _ output: Int, _ options: (any TFLiteOptions)? = nil
  ) {
    draft.steps.append(.init(builtin, inputs: inputs, outputs: [output], options: options))
  }

  private func conv(_ padding: TFLitePadding, _ activation: TFLiteActivation) -> Conv2DOptions {
    Conv2DOptions(padding: padding, activation: activation)
  }

  static func bytes(_ values: [Float]) -> [UInt8] {
    values.flatMap { TFLiteModelBuilder.bytes($0.bitPattern) }
  }

  /// Samples of the input in a `.npy` file of a folder below.
  static func writeSamples(_ count: Int, to scratch: TemporaryFolder, seed: UInt64 = 5) throws -> String {
    var random = SeededRandom(seed: seed)
    let tensor = try Tensor(random.floats(count * 192), shape: Shape([count, 8, 8, 3]))
    try scratch.write("samples-\(seed)/x.npy", try Npy.bytes(tensor))
    return scratch.path + "/samples-\(seed)"
  }
}
