import Evaluation
import Statistics
import TestSupport
import Testing

/// Published models on a few published pictures; `Tools/checks/compare-check` does it with all.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct RealComparisonTests {
  private func tflite(_ names: [String]) -> [String] { names.map { SharedData.path("tflite/\($0).tflite") } }

  /// The float model takes 0…255, which it does not say; the other's input says it.
  @Test func aFloatModelThatIsFedTheWrongNumbersIsNamed() throws {
    var options = Comparison.Options(
      models: tflite(["mlperf_tiny/pretrainedResnet", "mlperf_tiny/pretrainedResnet_quant"]),
      data: SharedData.path("small_sets/cifar10_jpg"))
    options.limit = 24
    let wrong = try Comparison(options).run()
    #expect(wrong.culprits.map(\.kind) == [.normalization])
    #expect(wrong.culprits.first?.model == 0)
    #expect(wrong.culprits.first?.advice.contains("the option normalization (bytes)") == true)

    options.normalization = NormalizationRule.bytes.normalization
    let right = try Comparison(options).run()
    #expect(right.culprits == [])
    #expect(right.pairs[0].agreement.successes >= 22)
    #expect(right.models.allSatisfy { ($0.accuracy?.top1.value ?? 0) > 0.6 })
    #expect(right.data.samples == wrong.data.samples)
  }

  @Test func aListOfLabelsWithoutBackgroundIsFitted() throws {
    var options = Comparison.Options(
      models: tflite(["imagenet/tf2_mobilenet_v2_1.0_224_ptq", "imagenet/mobilenet_v2_1.0_224_quant"]),
      data: SharedData.path("imagenet150"))
    options.limit = 12
    options.looksForCulprits = false
    let report = try Comparison(options).run()
    #expect(report.data.form == "pictures named by synset" && report.data.matching == "by synset")
    #expect(report.data.classes.count == 1001 && report.data.classes.first == "background")
    #expect(report.models.allSatisfy { ($0.accuracy?.top5?.successes ?? 0) >= 10 })
  }
}
