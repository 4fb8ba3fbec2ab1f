import Apus
import Foundation
import TestSupport
import Testing

/// The public MobileNets on photographs of known objects.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct RealClassifierTests {
  private static let models = [
    "tf2_mobilenet_v2_1.0_224_ptq", "mobilenet_v2_1.0_224_quant", "mobilenet_v2_1.0_224_quant_logits",
  ]

  private func classifier(_ name: String, threads: Int? = nil) throws -> ImageClassifier {
    try ImageClassifier(
      SharedData.path("tflite/imagenet/\(name).tflite"),
      options: .init(
        labels: SharedData.path("imagenet150/coral_labels_1001.txt"),
        inference: InferenceOptions(threads: threads)))
  }

  private func photograph(_ name: String) -> Picture {
    .file(SharedData.path("imagenet150/images/\(name).JPEG"))
  }

  @Test(arguments: models, ["n02391049_zebra", "n11939491_daisy"])
  func namesWhatIsThere(_ model: String, _ picture: String) throws {
    let result = try classifier(model).blocking.classify(photograph(picture))
    let name = try #require(picture.split(separator: "_").last)
    #expect(result.predictions[0].label.hasPrefix(name))
    #expect(result.predictions.allSatisfy { (0...1).contains($0.score) })
    #expect(!result.isUncertain)
  }

  @Test(arguments: models)
  func threadsChangeNothing(_ model: String) throws {
    let picture = photograph("n01882714_koala")
    let one = try classifier(model, threads: 1).blocking.classify(picture, topK: 1001)
    let all = try classifier(model).blocking.classify(picture, topK: 1001)
    #expect(one.predictions == all.predictions)
  }

  @Test func labelsComeFromTheModel() throws {
    let classifier = try ImageClassifier(
      SharedData.path("tflite/imagenet/automl_labeler_model.tflite"))
    #expect(classifier.hasLabels)
    #expect(classifier.labels == ["daisy", "dandelion", "roses", "sunflowers", "tulips"])
  }

  @Test func refusesWhatIsNoImageClassifier() throws {
    for (name, kind) in [
      ("tflite/imagenet/keras_lstm_mnist_ptq.tflite", ApusError.Kind.unsupportedModel),
      ("tflite/mlperf_tiny/ad01_fp32.tflite", .unsupportedModel),
    ] {
      do {
        _ = try ImageClassifier(SharedData.path(name))
        Issue.record("\(name) was taken for an image classifier")
      } catch {
        #expect(error.kind == kind)
        #expect(error.file == SharedData.path(name))
      }
    }
  }
}
