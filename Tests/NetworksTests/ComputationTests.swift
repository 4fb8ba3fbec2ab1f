import Foundation
import Graph
import Networks
import TensorCore
import TestSupport
import Testing

/// What a model is computed with is what was asked for, or an error: for every kind of file and every precision.
@Suite struct ComputationTests {
  static let folders = [
    "vit", "mobilenetv2", "convnext", "dinov2-swiglu", "bert-classifier", "distilbert-int8", "resnet", "beit",
    "swin",
    "mobilenetv3-timm", "efficientnet-timm", "vit-timm",
  ]

  /// What the first network is computed with, by kernels that every processor has, or by those in use.
  private func computed(_ path: String, _ precision: Precision?, on set: String? = "baseline") throws
    -> String
  {
    let opened = try OpenedModel(path)
    var inference = InferenceOptions(precision: precision)
    inference.instructionSet = set
    let network = opened.networks[0]
    let model = try Model(
      path: path, graph: network.graph(), options: opened.options(inference, for: network))
    return "\(Computation(model.compiled, part: network.name))"
  }

  /// The message of the refusal.
  private func refusal(_ path: String, _ precision: Precision) throws -> String {
    let error = #expect(throws: ApusError.self) { try computed(path, precision) }
    #expect(error?.kind == .argument && error?.file == path)
    return error.map { "\($0)" } ?? ""
  }

  @Test(arguments: [
    ("float32", "float32", Precision.float32), ("fp16", "float32", .float32), ("int8", "int8", .int8),
  ])
  func filesAreComputedInTheirOwnNumbers(_ name: String, _ own: String, _ precision: Precision) throws {
    let path = Checkout.file("Weights/rice-leaf/rice_v1_\(name).tflite").path
    for asked in [nil, precision] {
      #expect(try computed(path, asked) == own)
    }
    for asked in [Precision.float32, .int8] where asked != precision {
      let message = try refusal(path, asked)
      #expect(
        message.contains("the model multiplies \(own), expected \(asked.rawValue), the precision asked for"))
      #expect(message.contains("ModelQuantizer") == (asked == .int8))
    }
    if Precision.bfloat16.isAvailable {
      let error = #expect(throws: ApusError.self) { try computed(path, .bfloat16, on: nil) }
      #expect(error?.problem == "the model multiplies \(own)")
    }
  }

  @Test(arguments: folders) func foldersAreComputedAsAsked(_ name: String) throws {
    let path = Checkout.modelFolder(name)
    #expect(try computed(path, nil) == "float32" && computed(path, .float32) == "float32")
    #expect(try computed(path, .int8).contains("int8"))
    #expect(try refusal(path, .bfloat16).contains("the kernels of baseline have no products of bfloat16"))
    guard Precision.bfloat16.isAvailable else { return }
    #expect(try computed(path, .bfloat16, on: nil).contains("bfloat16"))
  }

  /// What is not computed in the precision is named.
  @Test func otherNumbersAreSaid() throws {
    #expect(
      try computed(Checkout.modelFolder("mobilenetv2"), .int8)
        == "int8 (depthwiseConv2D, some conv2D in float32)")
    // Most of so small a network is the convolution of its picture's pixels.
    #expect(try computed(Checkout.modelFolder("resnet"), .int8) == "float32 (some conv2D, linear in int8)")
    #expect(
      try computed(Checkout.modelFolder("vit"), .int8) == "int8 (conv2D, attention in float32)")
    #expect(try computed(Checkout.modelFolder("distilbert-int8"), .int8) == "int8 (attention in float32)")
  }
}
