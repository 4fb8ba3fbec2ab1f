import Evaluation
import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

/// Shipped models, sound and broken on purpose, with what is said of each: every fault is named, and nobody else is.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data")) struct BreakageTests {
  /// A way to break a model, and the verdict.
  struct Breakage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: Culprit.Kind
    /// What the statement has to say.
    let words: String
    let make: @Sendable (BrokenModel) throws -> Void

    init(
      _ name: String, _ kind: Culprit.Kind, _ words: String,
      _ make: @escaping @Sendable (BrokenModel) throws -> Void
    ) {
      (testDescription, self.kind, self.words, self.make) = (name, kind, words, make)
    }
  }

  private static let layer = "bert.encoder.layer.1."

  static let texts = [
    Breakage("ids in another order", .tokenizer, "with A's ids") { try $0.shuffleIDs() },
    Breakage("eps", .configuration, "epsilon 0.001 in place of 1e-12") {
      try $0.replace("1e-12", with: "1e-3", in: "config.json")
    },
    Breakage("form of GELU", .configuration, "GELU (tanh) in place of GELU (exact)") {
      try $0.replace("\"gelu\"", with: "\"gelu_new\"", in: "config.json")
    },
    Breakage("heads", .configuration, "heads 12 in place of 6") {
      try $0.replace("\"num_attention_heads\": 6", with: "\"num_attention_heads\": 12", in: "config.json")
    },
    Breakage(
      "a head of zeros", .weights, "rows 32–63 of '\(layer)attention.self.value.weight' (192×192) are zero"
    ) {
      try $0.multiply(layer + "attention.self.value.weight", rows: 32..<64, by: 0)
    },
    Breakage(
      "scale and offset of a norm", .weights,
      "'\(layer)output.LayerNorm.bias' has A's '\(layer)output.LayerNorm.weight'"
    ) {
      try $0.exchange(layer + "output.LayerNorm.weight", layer + "output.LayerNorm.bias")
    },
    Breakage("a bias of zeros", .weights, "'\(layer)intermediate.dense.bias' is zero throughout") {
      try $0.multiply(layer + "intermediate.dense.bias", by: 0)
    },
    Breakage("types of tokens", .weights, "'bert.embeddings.token_type_embeddings.weight' is zero throughout")
    {
      try $0.multiply("bert.embeddings.token_type_embeddings.weight", by: 0)
    },
    Breakage(
      "a row doubled", .weights, "row 17 of '\(layer)intermediate.dense.weight' (384×192) is 2 times A's"
    ) {
      try $0.multiply(layer + "intermediate.dense.weight", rows: 17..<18, by: 2)
    },
    Breakage(
      "queries for keys", .weights,
      "'\(layer)attention.self.key.weight' has A's '\(layer)attention.self.query.weight'"
    ) {
      try $0.exchange(layer + "attention.self.query.weight", layer + "attention.self.key.weight")
    },
  ]

  @Test(arguments: texts, [nil, 4]) func aBrokenModelOfTextsIsNamed(breakage: Breakage, layers: Int?) throws {
    let broken = try BrokenModel("sentiment")
    try breakage.make(broken)
    try check(try report(["Weights/sentiment"], broken.path(), .texts, layers: layers), breakage)
  }

  /// Layers are compared by the baseline's tokens, however many the other's tokenizer makes.
  @Test func tokensOfAnotherNumberAreNoObstacle() throws {
    let broken = try BrokenModel("sentiment")
    try broken.replace("\"##s\":", with: "\"##s##\":", in: "tokenizer.json")
    let report = try report(["Weights/sentiment"], broken.path(), .texts, layers: 4)
    #expect(report.layers.count == 1 && report.layers[0].rows.allSatisfy { $0.signalToNoise == .infinity })
    #expect(report.pairs[0].settings.contains { $0.file == "tokenizer" && $0.baseline != $0.other })
  }

  @Test func aScaleOfOneChannelIsNamed() throws {
    let broken = try BrokenModel("sentiment-int8")
    try broken.multiply(Self.layer + "intermediate.dense.weight_scale", rows: 17..<18, by: 2)
    let report = try report(["Weights/sentiment"], broken.path() + "@int8", .texts)
    #expect(report.culprits.map(\.kind) == [.weights])
    #expect(report.culprits.first?.statement.contains("row 17 of") ?? false)
  }

  @Test(arguments: [32, 64]) func aScaleOfPackedWeightsIsNamed(groupSize: Int) throws {
    // To find the scales takes a second, so they are found once.
    let packed = try BrokenModel(packing: "sentiment", groupSize: groupSize)
    let name = Self.layer + "intermediate.dense.weight"
    let breakages = [
      Breakage("a matrix", .weights, "'\(name)' is") { try $0.multiply(name + "_scale", by: 2) },
      Breakage("a row", .weights, "row 17 of '\(name)' (384×192) is") {
        try $0.multiply(name + "_scale", rows: 17..<18, by: 2)
      },
      Breakage("a head of zeros", .weights, "rows 32–63 of '\(name)' (384×192) are zero") {
        try $0.multiply(name + "_scale", rows: 32..<64, by: 0)
      },
    ]
    for breakage in breakages {
      let broken = try BrokenModel(copying: packed)
      try breakage.make(broken)
      for layers in [nil, 4] {
        try check(try report(["Weights/sentiment"], broken.path(), .texts, layers: layers), breakage)
      }
    }
  }

  static let pictures = [
    Breakage("scale of one channel", .weights, "row 3 of") { broken in
      try broken.rewrite("rice_v1_int8.tflite") { draft in
        let weights = try constant(of: .CONV_2D, 4, operand: 1, in: draft)
        guard let known = draft.tensors[weights].quantization else { return }
        var scales = known.scales
        scales[3] *= 2
        draft.tensors[weights].quantization = try Quantization(
          scales: scales, zeroPoints: known.zeroPoints, axis: known.axis)
      }
    },
    Breakage("a bias of zeros", .weights, "is zero throughout") { broken in
      try broken.rewrite("rice_v1_int8.tflite") { draft in
        let bias = try constant(of: .CONV_2D, 4, operand: 2, in: draft)
        draft.tensors[bias].data = draft.tensors[bias].data.map { [UInt8](repeating: 0, count: $0.count) }
      }
    },
    Breakage("zero point of the input", .preparation, "is cut off") { broken in
      try broken.rewrite("rice_v1_int8.tflite") { draft in
        guard let known = draft.tensors[draft.inputs[0]].quantization else { return }
        draft.tensors[draft.inputs[0]].quantization = try Quantization(
          scales: known.scales, zeroPoints: known.zeroPoints.map { $0 + 20 })
      }
    },
    Breakage("preparation", .preparation, "the preparation of A") { broken in
      try broken.replace("mobilenet_v2", with: "imagenet_torchvision", in: "meta.json")
    },
  ]

  @Test(arguments: pictures, [nil, 4]) func aBrokenModelOfPicturesIsNamed(breakage: Breakage, layers: Int?)
    throws
  {
    let broken = try BrokenModel("rice-leaf")
    try breakage.make(broken)
    let model = broken.path("rice_v1_int8.tflite")
    try check(
      try report(["Weights/rice-leaf/rice_v1_float32.tflite"], model, .pictures, layers: layers), breakage)
  }

  /// The tensor that the operator of a kind, counted from 0, has for an operand.
  private static func constant(
    of builtin: TFLiteBuiltin, _ number: Int, operand: Int, in draft: TFLiteDraft
  ) throws -> Int {
    let step = draft.steps.filter { $0.builtin == builtin }[number]
    return try #require(step.inputs[operand])
  }

  @Test(arguments: [
    ["Weights/sentiment", "Weights/sentiment@int8"], ["Weights/sentiment", "Weights/sentiment-int8@int8"],
    ["Weights/sentiment-int8", "Weights/sentiment"],
  ]) func soundModelsOfTextsAreNotAccused(models: [String]) throws {
    let report = try report(Array(models.dropLast()), models[models.count - 1], .texts, layers: 4)
    #expect(report.culprits == [] && report.pairs.allSatisfy { $0.settings == [] && $0.advice == nil })
  }

  /// The same classes in the other order are no other numbers; what is broken besides is.
  @Test(arguments: [nil, 4]) func anotherOrderOfClassesIsNoFault(layers: Int?) throws {
    let reordered = try Self.reordered(["classifier.weight", "classifier.bias"])
    let report = try report(["Weights/sentiment"], reordered.path(), .texts, layers: layers)
    #expect(report.culprits == [])
    for row in report.layers.flatMap(\.rows) { #expect(row.signalToNoise > 60, "\(row)") }

    let breakage = Breakage("half a head", .weights, "row 1 of 'classifier.weight' (2×192) is zero") {
      try $0.multiply("classifier.weight", rows: 1..<2, by: 0)
    }
    try breakage.make(reordered)
    try check(try self.report(["Weights/sentiment"], reordered.path(), .texts, layers: layers), breakage)
  }

  /// The two numbers of the bias are each other's negatives, and fit either order by themselves.
  @Test(arguments: [nil, 4]) func aBiasThatWasNotReorderedIsNamed(layers: Int?) throws {
    let broken = try Self.reordered(["classifier.weight"])
    let words = "the classes of 'classifier.bias' are not in the order of the labels"
    let breakage = Breakage("the bias as it was", .weights, words) { _ in }
    try check(try report(["Weights/sentiment"], broken.path(), .texts, layers: layers), breakage)
  }

  /// What fits the labels is not accused with it.
  @Test(arguments: [["classifier.bias"], []], [nil, 4])
  func aMatrixThatWasNotReorderedIsNamed(reordered: [String], layers: Int?) throws {
    let broken = try Self.reordered(reordered)
    let report = try report(["Weights/sentiment"], broken.path(), .texts, layers: layers)
    let culprit = try #require(report.culprits.first)
    #expect(culprit.kind == .weights && culprit.certainty == .found)
    #expect(
      culprit.statement.contains("the classes of 'classifier.weight' are not in the order of the labels"))
    #expect(culprit.statement.contains("classifier.bias") == reordered.isEmpty, "\(culprit.statement)")
    #expect(!culprit.advice.contains("take these tensors"))
  }

  /// The model of texts with its classes in the other order, to which some tensors are brought.
  private static func reordered(_ tensors: [String]) throws -> BrokenModel {
    let reordered = try BrokenModel("sentiment")
    for tensor in tensors { try reordered.reverseRows(tensor) }
    for (old, new) in [
      ("\"0\": \"negative\"", "\"0\": \"positive\""), ("\"1\": \"positive\"", "\"1\": \"negative\""),
      ("\"negative\": 0", "\"negative\": 1"), ("\"positive\": 1", "\"positive\": 0"),
    ] {
      try reordered.replace(old, with: new, in: "config.json")
    }
    return reordered
  }

  @Test(arguments: [32, 64]) func soundPackedModelsAreNotAccused(groupSize: Int) throws {
    let model = try BrokenModel(packing: "sentiment", groupSize: groupSize)
    for packed in [model.path(), model.path() + "@int8"] {
      for models in [
        ["Weights/sentiment", packed], [packed, "Weights/sentiment"], ["Weights/sentiment-int8", packed],
      ] {
        let report = try report([models[0]], models[1], .texts, layers: 4)
        #expect(report.culprits == [] && report.pairs.allSatisfy { $0.settings == [] && $0.advice == nil })
      }
    }
  }

  @Test func soundModelsOfPicturesAreNotAccused() throws {
    let rice = ["float32", "fp16", "int8"].map { "Weights/rice-leaf/rice_v1_\($0).tflite" }
    #expect(try report(Array(rice.dropLast()), rice[2], .pictures, layers: 4).culprits == [])
    let scenes = try report(
      ["Weights/scenes", "Weights/scenes@int8"], "Weights/scenes-int8", .scenes, layers: 4)
    #expect(scenes.culprits == [] && scenes.pairs.allSatisfy { $0.settings == [] })
  }

  /// Models of one network that were quantized otherwise, with one scale for a tensor and with one for a channel.
  @Test(arguments: [
    ("imagenet/mobilenet_v2_1.0_224_quant", "imagenet/tf2_mobilenet_v2_1.0_224_ptq"),
    ("imagenet/t2o_mobilenet_v1_0.25_128", "imagenet/t2o_mobilenet_v1_0.25_128_quant"),
    ("imagenet/mobilenet_v1_0.25_224_quant", "imagenet/mobilenet_v1_0.25_224_1_default_1"),
  ]) func otherWaysOfQuantizingAreNotAccused(baseline: String, other: String) throws {
    let models = [baseline, other].map { SharedData.path("tflite/\($0).tflite") }
    #expect(try report([models[0]], models[1], .objects, layers: 4).culprits == [])
  }

  // MARK: Running

  private enum Samples {
    case texts, pictures, scenes, objects

    var path: String {
      switch self {
      case .texts: SharedData.path("sentiment/sst2/dev.tsv")
      case .pictures: SharedData.path("rice_train")
      case .scenes: Checkout.file("Weights/scenes/samples/labels.csv").path
      case .objects: SharedData.path("imagenet150")
      }
    }
  }

  /// - Parameter sound: paths in the checkout, or whole ones.
  private func report(
    _ sound: [String], _ other: String, _ samples: Samples, layers: Int? = nil
  ) throws -> ComparisonReport {
    let models = (sound + [other]).map { $0.hasPrefix("/") ? $0 : Checkout.file($0).path }
    var options = Comparison.Options(models: models, data: samples.path)
    options.limit = 160
    options.resamples = 50
    options.layerSamples = layers
    return try Comparison(options).run()
  }

  private func check(_ report: ComparisonReport, _ breakage: Breakage) throws {
    let culprit = try #require(report.culprits.first)
    #expect(culprit.kind == breakage.kind && culprit.model == 1 && culprit.certainty == .found)
    #expect(culprit.statement.contains(breakage.words))
    #expect(report.culprits.count == 1, "\(report.culprits.map(\.statement))")
  }
}
