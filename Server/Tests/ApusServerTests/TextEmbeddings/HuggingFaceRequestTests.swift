@testable import ApusServer
import Apus
import ApusServing
import FoundationEssentials
import Testing

/// The bodies are those that huggingface_hub 2.4 posts.
@Suite struct HuggingFaceRequestTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
  private static let everything = Set(ModelTask.allCases)

  private func request(
    _ body: String, tasks: Set<ModelTask> = everything
  ) throws -> HuggingFaceRequest {
    try HuggingFaceRequest(Array(body.utf8), contentType: "application/json", tasks: tasks)
  }

  @Test func similarity() throws {
    let body = #"{"inputs": {"source_sentence": "a", "sentences": ["b"]}, "parameters": {}}"#
    guard case .similarity(let similarity) = try request(body) else {
      throw RequestFault.missing("similarity")
    }
    #expect(similarity.source == "a")
    #expect(similarity.sentences == ["b"])
  }

  /// Only for embeddings no `parameters` are sent.
  @Test func embeddingsAndClassesDifferByTheirParameters() throws {
    guard case .embedding(let embed) = try request(#"{"inputs": ["a"], "normalize": false}"#) else {
      throw RequestFault.missing("embedding")
    }
    #expect(embed.shape.length == .raw)
    #expect(try request(#"{"inputs": "a", "parameters": {"top_k": 2}}"#) == .texts(["a"], topK: 2))
    #expect(try request(#"{"inputs": "a"}"#, tasks: [.textClassification]) == .texts(["a"], topK: nil))
  }

  @Test func picturesAreBytesOrBase64() throws {
    let base64 = Data(Self.png).base64EncodedString()
    #expect(
      try HuggingFaceRequest(Self.png, contentType: nil, tasks: Self.everything)
        == .picture(Self.png, topK: nil))
    #expect(
      try request(#"{"inputs": "\#(base64)", "parameters": {"top_k": 3}}"#) == .picture(Self.png, topK: 3))
    #expect(
      try request(
        #"{"inputs": "\#(base64)", "parameters": {"candidate_labels": ["x", "y"], "hypothesis_template": "a {}"}}"#
      )
        == .zeroShot(Self.png, labels: ["x", "y"], template: "a {}"))
  }

  /// Every label is put into a copy of it, at every place.
  @Test(
    arguments: [
      (4094, 1, nil), (4095, 1, "a sentence of 4097 bytes, expected at most 4096"), (0, 4, nil),
      (0, 5, "has 5 {} where the label goes, expected at most 4"), (8, 0, "has no {} where the label goes"),
    ] as [(Int, Int, String?)])
  func templatesAreSentences(length: Int, places: Int, fault: String?) throws {
    let template = String(repeating: "a", count: length) + String(repeating: "{}", count: places)
    let body =
      #"{"inputs": "AQID", "parameters": {"candidate_labels": ["x"], "hypothesis_template": "\#(template)"}}"#
    guard let fault else {
      let found = try request(body)
      #expect(found == .zeroShot([1, 2, 3], labels: ["x"], template: template))
      return
    }
    #expect { try request(body) } throws: { error in
      (error as? RequestFault)?.message.contains(fault) == true
    }
  }

  /// curl says that what it sends is a form.
  @Test(arguments: [
    nil, "application/x-www-form-urlencoded", "text/plain; charset=utf-8", "Application/JSON",
  ])
  func whatBeginsWithABraceIsJSON(_ type: String?) throws {
    let body = Array("\r\n\t {\"inputs\": \"a\", \"parameters\": {}}".utf8)
    let request = try HuggingFaceRequest(body, contentType: type, tasks: Self.everything)
    #expect(request == .texts(["a"], topK: nil))
    #expect(
      try HuggingFaceRequest(body, contentType: "image/x-any", tasks: Self.everything)
        == .picture(body, topK: nil))
    let form = "application/x-www-form-urlencoded"
    #expect(
      try HuggingFaceRequest(Self.png, contentType: form, tasks: Self.everything)
        == .picture(Self.png, topK: nil))
  }

  /// Without `parameters` a text may be meant to be embedded, where a model does that.
  @Test func picturesNeedNoParameters() throws {
    let body = #"{"inputs": "\#(Data(Self.png).base64EncodedString())"}"#
    for tasks in [[.imageClassification], [.zeroShot, .imageEmbedding], Self.everything] as [Set<ModelTask>] {
      #expect(try request(body, tasks: tasks) == .picture(Self.png, topK: nil))
    }
    #expect(
      try request(#"{"inputs": "AAAA"}"#, tasks: [.imageClassification]) == .picture([0, 0, 0], topK: nil))
    for tasks in [[.textEmbedding], [.zeroShot, .textEmbedding]] as [Set<ModelTask>] {
      guard case .embedding = try request(#"{"inputs": "goodness"}"#, tasks: tasks) else {
        throw RequestFault.missing("embedding")
      }
    }
  }

  /// "goodness" is base64 of six bytes, and no picture.
  @Test func textsThatCouldBeBase64AreTexts() throws {
    #expect(try request(#"{"inputs": "goodness", "parameters": {}}"#) == .texts(["goodness"], topK: nil))
  }

  @Test(arguments: [
    #"{"parameters": {}}"#, #"{"inputs": 5, "parameters": {}}"#, #"{"inputs": "a", "parameters": []}"#,
    #"{"inputs": "*", "parameters": {"candidate_labels": ["x"]}}"#,
    #"{"inputs": "AAAA", "parameters": {"candidate_labels": []}}"#,
    #"{"inputs": "AAAA", "parameters": {"candidate_labels": ["x"], "hypothesis_template": "no place"}}"#,
    #"{"inputs": "a", "parameters": {"function_to_apply": "sigmoid"}}"#,
    #"{"inputs": {"source_sentence": "a"}, "parameters": {}}"#,
  ])
  func whatIsWrongIsRefused(_ body: String) {
    #expect(throws: RequestFault.self) { try request(body) }
  }
}
