import Apus
import Foundation
import Images
import TestSupport
import Testing

/// The classifier of rice leaf diseases in `Weights` loads, and names what its card says it knows.
@Suite struct RiceLeafTests {
  private static let folder = Checkout.file("Weights/rice-leaf")
  private static let files = ["rice_v1_float32.tflite", "rice_v1_fp16.tflite", "rice_v1_int8.tflite"]
  private static let classes = ["bacterial_leaf_blight", "rice_blast", "rice_brown_spot"]

  private func classifier(_ file: String) throws -> ImageClassifier {
    try ImageClassifier(Self.folder.appendingPathComponent(file).path)
  }

  /// Pictures of the test part with their classes: one of each of the first photographs of a class.
  private func testPictures(photographs: Int) throws -> [(path: String, label: String)] {
    let table = try String(contentsOf: Self.folder.appendingPathComponent("split.csv"), encoding: .utf8)
    let rows = table.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    try #require(rows.first == ["path", "label", "split", "photograph"])
    return Self.classes.flatMap { label in
      var seen: Set<String> = []
      let firsts = rows.filter { $0[1] == label && $0[2] == "test" && seen.insert($0[3]).inserted }
      return firsts.prefix(photographs).map { (SharedData.path("rice_train/" + $0[0]), label) }
    }
  }

  @Test(arguments: files) func labelsAndMetadataFitTheModel(_ file: String) throws {
    let classifier = try classifier(file)
    #expect(classifier.labels == Self.classes)
    #expect(classifier.threshold != ImageClassifier.Options.standardThreshold)
    #expect(classifier.preprocessing.hasPrefix("mobilenet-v2"))
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"), arguments: files)
  func mostPicturesThatItWasNotTrainedOnAreNamedRightly(_ file: String) throws {
    let classifier = try classifier(file)
    let pictures = try testPictures(photographs: 5)
    try #require(pictures.count == 15)
    let right = try pictures.count { picture in
      try classifier.blocking.classify(.file(picture.path), topK: 1).predictions[0].label == picture.label
    }
    #expect(right >= 12)
  }

  /// What shows nothing is not called a disease.
  @Test(arguments: files) func greySquaresAreUncertain(_ file: String) throws {
    let classifier = try classifier(file)
    for grey: UInt8 in [0, 64, 128, 192, 255] {
      let image = try RGBImage(width: 64, height: 64, pixels: [UInt8](repeating: grey, count: 64 * 64 * 3))
      #expect(try classifier.blocking.classify(.pixels(image)).isUncertain, "grey \(grey)")
    }
  }

  /// These photographs of ImageNet did not train the network, but are a tenth of those that the rejection was fitted to; of
  /// CIFAR-10 four in five trained it. The card has the figures of pictures that did neither, which are not at hand.
  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared data"), arguments: files,
    [(folder: "imagenet150/images", count: 150), ("small_sets/cifar10_jpg", 500)])
  func fewForeignPicturesAreCertain(_ file: String, _ kind: (folder: String, count: Int)) throws {
    let classifier = try classifier(file)
    let folder = SharedData.path(kind.folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
      $0.lowercased().hasSuffix(".jpg") || $0.lowercased().hasSuffix(".jpeg")
    }
    try #require(names.count == kind.count)
    let answers = try names.map { try classifier.blocking.classify(.file("\(folder)/\($0)"), topK: 1) }
    #expect(answers.count { !$0.isUncertain } * 20 <= names.count)
    #expect(answers.contains { $0.uncertainty == .foreign })
  }

  /// All leaves of the test part, one picture of each photograph, in less and less light. By the score alone 48, 47, 45 and
  /// 45 are right and certain (float32): the rejection takes none for foreign because it is dark.
  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared data"), arguments: files,
    [(light: Float(1), least: 46), (0.7, 45), (0.5, 44), (0.3, 42)])
  func rightAnswersStayCertainInLessLight(_ file: String, _ view: (light: Float, least: Int)) throws {
    let classifier = try classifier(file)
    let pictures = try testPictures(photographs: .max)
    try #require(pictures.count == 52)
    let kept = try pictures.count { picture in
      let leaf = try ImageDecoder.decode(contentsOf: picture.path).image
      let dimmed = leaf.pixels.map { UInt8(Float($0) * view.light) }
      let image = try RGBImage(width: leaf.width, height: leaf.height, pixels: dimmed)
      let answer = try classifier.blocking.classify(.pixels(image), topK: 1)
      return !answer.isUncertain && answer.predictions[0].label == picture.label
    }
    #expect(kept >= view.least)
  }
}
