import Apus
@testable import ApusServer
import ApusServing
import FoundationEssentials
import Testing

@Suite struct OpenAIEmbeddingTests {
  private func request(_ text: String) throws -> OpenAIEmbeddingRequest {
    try OpenAIEmbeddingRequest(Array(text.utf8))
  }

  @Test func everyFormOfInput() throws {
    #expect(try request(#"{"model":"m","input":"a"}"#).input == [.text(.text("a"))])
    #expect(try request(#"{"model":"m","input":["a","b"]}"#).input == [.text(.text("a")), .text(.text("b"))])
    #expect(try request(#"{"model":"m","input":[1,2]}"#).input == [.text(.tokens([1, 2]))])
    #expect(
      try request(#"{"model":"m","input":[[1],[2,3]]}"#).input == [
        .text(.tokens([1])), .text(.tokens([2, 3])),
      ])
  }

  @Test func picturesAmongTexts() throws {
    let body = #"{"model":"m","input":[{"image":"data:image/png;base64,AQID"},"a",{"text":"b"}]}"#
    #expect(try request(body).input == [.picture([1, 2, 3]), .text(.text("a")), .text(.text("b"))])
  }

  @Test func fieldsOfTheClient() throws {
    let request = try request(
      #"{"model":"m","input":"a","encoding_format":"base64","dimensions":64,"user":"u"}"#)
    #expect(request.format == .base64)
    #expect(request.dimensions == 64)
    #expect(try self.request(#"{"model":"m","input":"a","dimensions":null}"#).format == .float)
  }

  @Test(arguments: [
    (#"{"input":"a"}"#, "model"), (#"{"model":1,"input":"a"}"#, "model"), (#"{"model":"m"}"#, "input"),
    (#"{"model":"m","input":null}"#, "input"), (#"{"model":"m","input":[]}"#, "input"),
    (#"{"model":"m","input":{}}"#, "input"), (#"{"model":"m","input":["a",null]}"#, "input[1]"),
    (#"{"model":"m","input":[1,"a"]}"#, "input[1]"), (#"{"model":"m","input":[1.5]}"#, "input[0]"),
    (#"{"model":"m","input":[-1]}"#, "input[0]"), (#"{"model":"m","input":[[2147483648]]}"#, "input[0][0]"),
    (#"{"model":"m","input":[{"image":"https://example.com/a.png"}]}"#, "input[0].image"),
    (#"{"model":"m","input":["a",{}]}"#, "input[1]"),
    (#"{"model":"m","input":[{"image":"AQID","text":"a"}]}"#, "input[0]"),
    (#"{"model":"m","input":[{"picture":"AQID"}]}"#, "input[0].picture"),
    (#"{"model":"m","input":[[1],{"text":"a"}]}"#, "input[0]"),
    (#"{"model":"m","input":"a","encoding_format":"hex"}"#, "encoding_format"),
    (#"{"model":"m","input":"a","dimensions":0}"#, "dimensions"),
    (#"{"model":"m","input":"a","dimensions":"4"}"#, "dimensions"),
    (#"{"model":"m","input":"a","user":4}"#, "user"), (#"{"model":"m","input":"a","inputs":4}"#, "inputs"),
  ])
  func whatIsWrongIsNamed(_ body: String, _ field: String) {
    #expect { try request(body) } throws: { ($0 as? RequestFault)?.field == field }
  }

  /// NumPy reads the text as little-endian float32.
  @Test func base64HasLittleEndianFloats() throws {
    let text = Base64.text([1, -2.5])
    #expect(Data(base64Encoded: text).map(Array.init) == [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0])
  }

  @Test func answersHaveIndicesAndCounts() {
    let answer = JSONText.openAIEmbeddings(
      [(vector: [1], tokens: 3), (vector: [2], tokens: 4)], format: .float, model: "m")
    #expect(
      String(decoding: answer.bytes, as: UTF8.self) == """
        {"object":"list","data":[{"object":"embedding","index":0,"embedding":[1.0]},\
        {"object":"embedding","index":1,"embedding":[2.0]}],"model":"m",\
        "usage":{"prompt_tokens":7,"total_tokens":7}}
        """)
  }
}

@Suite struct VectorShapeTests {
  /// The law of vectors that were trained for it: the first numbers, brought to length 1.
  @Test func cutVectorsHaveLengthOne() {
    let shape = VectorShape(dimensions: 2, length: .model)
    #expect(shape.apply([3, 4, 12]) == [0.6, 0.8])
    #expect(VectorShape(dimensions: 2, length: .raw).apply([3, 4, 12]) == [3, 4])
    #expect(VectorShape(dimensions: 3, length: .unit).apply([3, 4, 12]) == [3, 4, 12])
    #expect(Embedding([0, 3, 4]).unit.values == [0, 0.6, 0.8])
    #expect(Embedding([0, 0]).unit.values == [0, 0])
  }

  @Test func cosines() {
    #expect(Embedding([1, 0]).cosine(Embedding([0, 2])) == 0)
    #expect(Embedding([1, 1]).cosine(Embedding([-2, -2])) == -1)
    #expect(Embedding([1, 1]).cosine(Embedding([0, 0])) == 0)
    #expect(Embedding([1, 1]).cosine(Embedding([1])) == 0)
  }
}
