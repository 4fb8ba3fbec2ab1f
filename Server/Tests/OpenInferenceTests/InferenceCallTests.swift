import Apus
import ApusServing
import InferenceProtocol
@testable import OpenInference
import Testing

@Suite struct InferenceCallTests {
  private static func request(_ inputs: [String], _ outputs: [String] = []) throws -> InferenceRequest {
    try InferenceRequest(
      inputs: inputs.map { (name) throws(ApusError) in
        try InferenceTensor(name, ["x"], .vector(1))
      },
      outputs: outputs.map { (name) throws(ApusError) in try RequestedOutput(name) })
  }

  @Test(
    arguments: [
      (["image"], [], .embedPictures), (["image", "labels"], [], .scoreLabels),
      (["labels", "image"], ["scores"], .scoreLabels),
      (["image"], ["scores"], .scoreLabels), (["image"], ["labels", "scores"], .scoreLabels),
      (["image"], ["embedding"], .embedPictures),
      (["text"], [], .embedTexts), (["text"], ["embedding"], .embedTexts),
      (["text", "image"], [], nil), (["labels"], [], nil), (["pixel_values"], [], nil), ([], [], nil),
      (["image", "labels"], ["embedding"], nil), (["text"], ["text_embeds"], nil),
    ] as [([String], [String], InferenceCall?)])
  func namesSayWhatIsMeant(inputs: [String], outputs: [String], call: InferenceCall?) throws {
    let tasks: Set<ModelTask> = [.zeroShot, .imageEmbedding, .textEmbedding, .tensors]
    #expect(InferenceCall(try Self.request(inputs, outputs), of: tasks) == call)
  }

  @Test func classifiersClassify() throws {
    let pictures: Set<ModelTask> = [.imageClassification, .imageEmbedding]
    #expect(InferenceCall(try Self.request(["image"]), of: pictures) == .classifyPictures)
    #expect(InferenceCall(try Self.request(["image"], ["embedding"]), of: pictures) == .embedPictures)
    #expect(
      InferenceCall(try Self.request(["text"]), of: [.textClassification, .textEmbedding]) == .classifyTexts)
    #expect(InferenceCall(try Self.request(["text"]), of: pictures) == nil)
  }
}
