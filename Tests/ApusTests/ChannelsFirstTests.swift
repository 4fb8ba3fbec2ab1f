import Apus
import TestSupport
import Testing

/// Classifiers whose pictures have channels first, as converters from PyTorch write them.
@Suite struct ChannelsFirstTests {
  private let folder: TemporaryFolder
  private let last: String
  private let first: String

  init() throws {
    folder = try TemporaryFolder()
    last = try folder.write("last.tflite", ColourModel.bytes(.softmax))
    first = try folder.write("first.tflite", ColourModel.bytes(.softmax, order: .channelsFirst))
  }

  @Test func picturesAreClassified() throws {
    for colour: (UInt8, UInt8, UInt8) in [(200, 10, 10), (10, 200, 10), (10, 10, 200)] {
      let picture = try ColourModel.picture(colour.0, colour.1, colour.2)
      let expected = try ImageClassifier(last).blocking.classify(picture, topK: nil)
      let found = try ImageClassifier(first).blocking.classify(picture, topK: nil)
      #expect(found.predictions == expected.predictions)
      #expect(found.preprocessing == expected.preprocessing + ", channels first")
    }
  }

  @Test func aPictureBecomesTheInput() throws {
    let session = try InferenceSession(first)
    let input = try ImageProcessor(first).tensor(ColourModel.picture(255, 0, 0), for: session.inputs[0])
    let pixels = ColourModel.side * ColourModel.side
    #expect(input.shape.dimensions == [1, 3, ColourModel.side, ColourModel.side])
    let ones = [Float](repeating: 1, count: pixels), darkness = [Float](repeating: -1, count: 2 * pixels)
    #expect(try input.elements(of: Float.self) == ones + darkness)
  }

  /// Sides and channels of `meta.json` are those of the picture, in whatever order.
  @Test func metadataFit() throws {
    for text in ["[4, 4]", "[4, 4, 3]"] {
      let file = try folder.write("meta.json", #"{"input_size": \#(text), "threshold_default": 0.9}"#)
      let options = ImageClassifier.Options(metadata: file)
      let result = try ImageClassifier(first, options: options).blocking.classify(
        ColourModel.picture(200, 10, 10))
      #expect(result.isUncertain)
    }
  }
}
