import Apus
import Foundation
import Formats
import Images
import Networks
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Samples are prepared exactly as the model's classifier prepares pictures, `meta.json` included.
struct CalibrationPreparationTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// Two pictures of which one is black and one is white.
  private func pictures() throws -> String {
    for (index, byte) in [UInt8(0), 255].enumerated() {
      let pixels = [UInt8](repeating: byte, count: 16 * 16 * 3)
      let image = try RGBImage(width: 16, height: 16, pixels: pixels)
      let file = try #require(try JPEGEncoder.encode(image, quality: 95, maximumBytes: 1 << 20))
      try scratch.write("pictures/\(index).jpg", file)
    }
    return scratch.path + "/pictures"
  }

  @Test func aFileIsCalibratedOnWhatItsClassifierFeeds() throws {
    let input = try scratch.write("model/float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    try scratch.write("model/meta.json", #"{"preprocessing": "clip"}"#)
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try pictures()
    let output = scratch.path + "/out.tflite"
    let report = try TFLiteQuantizer(input, options).write(to: output)
    let classifier = try ImageClassifier(input)
    #expect(classifier.preprocessing.hasPrefix("clip"))
    #expect(try #require(report.calibration).samples.contains(classifier.preprocessing))

    // The range of black and white in CLIP's numbers.
    var range = ValueRange()
    for byte: UInt8 in [0, 255] {
      let pixels = [UInt8](repeating: byte, count: 8 * 8 * 3)
      let image = try RGBImage(width: 8, height: 8, pixels: pixels)
      let values: [Float] = try classifier.preprocessor.tensor(image).elements()
      _ = values.withUnsafeBufferPointer { range.add($0) }
    }
    let model = try TFLiteModel(FileBytes.read(output))
    let tensor = try #require(model.subgraphs[0].tensors.first { $0.name == "x" })
    let scale = try #require(tensor.quantization?.parameters).scale
    #expect(try scale == AffineRange.quantization(range).scale)
    #expect(abs(scale - (1.792263 + 2.145897) / 255) < 1e-6)
  }

  @Test func aFolderIsCalibratedOnWhatItsClassifierFeeds() throws {
    let folder = scratch.path + "/vit"
    try FileManager.default.copyItem(atPath: FolderSample("vit").folder.path, toPath: folder)
    try scratch.write("vit/meta.json", #"{"preprocessing": "tensorflow"}"#)
    let picture = try pictures() + "/1.jpg"
    let prepared = try OpenedModel(folder).samples(pictures: [picture], texts: [])
    let sample = try #require(prepared.content.first)
    let classifier = try ImageClassifier(folder)
    #expect(classifier.preprocessing.hasPrefix("tensorflow"))
    let fed = try classifier.preprocessor.tensor(ImageDecoder.decode(contentsOf: picture).image)
    #expect(try sample.inputs[0].elements(of: Float.self) == fed.elements(of: Float.self))
  }

  /// A `meta.json` that is passed over may have been meant to say how pictures are prepared.
  @Test(arguments: [ActivationType.int8, .float])
  func ofAFileTheReportSaysWhatIsPassedOver(_ activations: ActivationType) throws {
    let input = try scratch.write("model/float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    try scratch.write("model/meta.json", #"{"preprocessing": "clip", "input_size": [9, 9]}"#)
    var options = ModelQuantizer.Options(.int8, calibration: try pictures())
    options.activations = activations
    let report = try ModelQuantizer(input, options).write(to: scratch.path + "/out.tflite")
    let notes = try ImageClassifier(input).notes
    #expect(report.notes == notes && notes.count == 1)
  }

  @Test func ofAFolderTheReportSaysWhatIsPassedOver() throws {
    let folder = scratch.path + "/vit"
    try FileManager.default.copyItem(atPath: FolderSample("vit").folder.path, toPath: folder)
    try scratch.write("vit/meta.json", #"{"preprocessing": "tensorflow", "input_size": [9, 9]}"#)
    let options = ModelQuantizer.Options(.int8, calibration: try pictures())
    let report = try ModelQuantizer(folder, options).write(to: scratch.path + "/out")
    let notes = try ImageClassifier(folder).notes
    #expect(report.notes == notes && notes.count == 1)
  }
}
