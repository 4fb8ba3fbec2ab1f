@testable import ApusServer
import Apus
import ApusServing
import Testing

@Suite struct TextEmbeddingsRequestTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func embedHasTheDefaultsOfTextEmbeddingsInference() throws {
    let request = try EmbedRequest(bytes(#"{"inputs":"a"}"#))
    #expect(request.inputs == [.text("a")])
    #expect(request.shape == VectorShape(dimensions: nil, length: .unit))
    #expect(request.options.truncates)
    let other = try EmbedRequest(
      bytes(#"{"inputs":["a",[1,2]],"normalize":false,"truncate":false,"dimensions":8,"extra":1}"#))
    #expect(other.inputs == [.text("a"), .tokens([1, 2])])
    #expect(other.shape == VectorShape(dimensions: 8, length: .raw))
    #expect(!other.options.truncates)
  }

  /// What would change the vectors is not passed over.
  @Test(arguments: [
    (#"{"inputs":"a","truncation_direction":"up"}"#, "truncation_direction"),
    (#"{"inputs":"a","prompt_name":"query"}"#, "prompt_name"),
    (#"{"inputs":"a","encoding_format":"base64"}"#, "encoding_format"),
    (#"{"inputs":"a","normalize":1}"#, "normalize"), (#"{}"#, "inputs"),
    (#"{"inputs":[1,[2]]}"#, "inputs[1]"),
  ])
  func whatIsWrongWithEmbedIsNamed(_ body: String, _ field: String) {
    #expect { try EmbedRequest(bytes(body)) } throws: { ($0 as? RequestFault)?.field == field }
  }

  @Test func emptyListsAreOfAKindOfTheirOwn() {
    #expect(throws: RequestFault.empty("inputs")) { try EmbedRequest(bytes(#"{"inputs":[]}"#)) }
    #expect(throws: RequestFault.empty("inputs")) { try PredictRequest(bytes(#"{"inputs":[]}"#)) }
    #expect(throws: RequestFault.empty("texts")) {
      try RerankRequest(bytes(#"{"query":"q","texts":[]}"#))
    }
    #expect(throws: RequestFault.empty("inputs.sentences")) {
      try SimilarityRequest(bytes(#"{"inputs":{"source_sentence":"a","sentences":[]}}"#))
    }
    #expect(throws: RequestFault.empty("ids")) { try DecodeRequest(bytes(#"{"ids":[]}"#)) }
  }

  /// A list of texts is one pair; only lists of lists are several.
  @Test func predictTellsPairsFromBatches() throws {
    #expect(try PredictRequest(bytes(#"{"inputs":"a"}"#)).sequences == [.text("a")])
    #expect(try PredictRequest(bytes(#"{"inputs":["a"]}"#)).sequences == [.text("a")])
    #expect(try PredictRequest(bytes(#"{"inputs":["a","b"]}"#)).sequences == [.pair(TextPair("a", "b"))])
    let batch = try PredictRequest(bytes(#"{"inputs":[["a"],["b","c"]]}"#))
    #expect(batch.sequences == [.text("a"), .pair(TextPair("b", "c"))])
    #expect(!batch.isSingle)
    #expect(throws: RequestFault.self) { try PredictRequest(bytes(#"{"inputs":["a","b","c"]}"#)) }
    #expect(throws: RequestFault.self) { try PredictRequest(bytes(#"{"inputs":[[]]}"#)) }
    #expect(throws: RequestFault.self) { try PredictRequest(bytes(#"{"inputs":[["a"],"b"]}"#)) }
  }

  /// As Text Embeddings Inference writes it, and as people do.
  @Test(arguments: [("Left", TextSide.left), ("left", .left), ("Right", .right), ("right", .right)])
  func theEndThatIsCutIsNamed(_ name: String, _ side: TextSide) throws {
    let options = #""truncation_direction":"\#(name)","truncate":true"#
    #expect(try EmbedRequest(bytes(#"{"inputs":"a",\#(options)}"#)).options.side == side)
    #expect(try PredictRequest(bytes(#"{"inputs":"a",\#(options)}"#)).options.side == side)
    #expect(try RerankRequest(bytes(#"{"query":"q","texts":["a"],\#(options)}"#)).options.side == side)
    #expect(try EmbedRequest(bytes(#"{"inputs":"a"}"#)).options.side == nil)
  }

  @Test func rerankHasTheDefaultsOfTextEmbeddingsInference() throws {
    let request = try RerankRequest(bytes(#"{"query":"q","texts":["a",""],"extra":1}"#))
    #expect(request.query == "q" && request.texts == ["a", ""])
    #expect(!request.wantsLogits && !request.returnsTexts && request.options.truncates)
    let other = try RerankRequest(
      bytes(#"{"query":"q","texts":["a"],"raw_scores":true,"return_text":true,"truncate":false}"#))
    #expect(other.wantsLogits && other.returnsTexts && !other.options.truncates)
    #expect(throws: RequestFault.self) { try RerankRequest(bytes(#"{"query":["q"],"texts":["a"]}"#)) }
    #expect(throws: RequestFault.self) { try RerankRequest(bytes(#"{"texts":["a"]}"#)) }
  }

  @Test func idsAreOneListOrSeveral() throws {
    #expect(try DecodeRequest(bytes(#"{"ids":[1,2]}"#)).ids == [[1, 2]])
    #expect(try DecodeRequest(bytes(#"{"ids":[[1],[2,3]]}"#)).ids == [[1], [2, 3]])
    #expect(throws: RequestFault.empty("ids[1]")) { try DecodeRequest(bytes(#"{"ids":[[1],[]]}"#)) }
    #expect(throws: RequestFault.self) { try DecodeRequest(bytes(#"{"ids":[1,[2]]}"#)) }
  }
}
