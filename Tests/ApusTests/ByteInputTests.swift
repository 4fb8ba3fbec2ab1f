import Apus
import TestSupport
import Testing

/// Models that take the bytes of a picture and scale them inside.
@Suite struct ByteInputTests {
  /// The mean of each channel, in bytes or in what they stand for.
  private static func bytes(_ type: Int8) -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    let side = Int32(ColourModel.side)
    var model = Builder()
    model.codes = [Builder.Code(53), Builder.Code(40)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("picture", type, [1, side, side, 3]),
          Builder.Tensor("numbers", Builder.float32, [1, side, side, 3]),
          .constant("axes", [2], [1, 2] as [Int32]), Builder.Tensor("means", Builder.float32, [1, 3]),
        ],
        inputs: [0], outputs: [3],
        operators: [
          .init(
            code: 0, inputs: [0], outputs: [1], options: Builder.Options(37, [0: .int8(type), 1: .int8(0)])),
          .init(code: 1, inputs: [1, 2], outputs: [3], options: Builder.Options(27)),
        ])
    ]
    return model.build()
  }

  @Test func uint8WithoutQuantizationIsGivenTheBytes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("bytes.tflite", Self.bytes(TFLiteModelBuilder.uint8))
    let classifier = try ImageClassifier(path)
    #expect(
      classifier.preprocessing
        == "mobilenet-v2: pillow-bilinear, stretch to 4×4, x, uint8, bytes as they are")
    let result = try classifier.blocking.classify(ColourModel.picture(11, 10, 10), topK: nil)
    #expect(result.predictions.map(\.index) == [0, 1, 2])
    // One step of a byte: e / (e + 2), and no 255th of it.
    #expect(abs(result.predictions[0].score - 0.5761169) < 1e-6)
  }

  @Test func int8WithoutQuantizationIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("bytes.tflite", Self.bytes(TFLiteModelBuilder.int8))
    let error = try #require(throws: ApusError.self) { try ImageClassifier(path) }
    #expect(error.kind == .unsupportedModel && error.problem.contains("without one scale"), "\(error)")
  }
}
