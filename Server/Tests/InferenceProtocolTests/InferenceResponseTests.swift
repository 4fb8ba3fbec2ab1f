import Apus
import InferenceProtocol
import Testing

@Suite struct InferenceResponseTests {
  private static func response(_ outputs: [InferenceTensor]) -> InferenceResponse {
    InferenceResponse(model: "a/\"b\"", version: "1", id: "7", outputs: outputs)
  }

  @Test func outputsComeAsTheyAreAskedFor() throws {
    let scores = try InferenceTensor("scores", [0.5, 0.25], InferenceShape([1, 2]))
    let labels = try InferenceTensor("labels", ["cat", "d\n"], InferenceShape([1, 2]))
    let encoded = try Self.response([scores, labels]).encoded { $0 == "scores" }
    let header = #"""
      {"model_name":"a/\"b\"","model_version":"1","id":"7","outputs":[{"name":"scores","datatype":"FP32","shape":[1,2],"parameters":{"binary_data_size":8}},{"name":"labels","datatype":"BYTES","shape":[1,2],"data":["cat","d\u000a"]}]}
      """#
    #expect(encoded.headerLength == header.utf8.count)
    #expect(encoded.body == header.utf8 + [0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E])
    #expect(try Self.response([scores]).encoded { _ in false }.headerLength == nil)
  }

  @Test func whatJSONHasNotIsRefusedThereOnly() throws {
    let nan = try InferenceTensor("x", [.nan], .vector(1))
    let bytes = try InferenceTensor("x", .bytes, .vector(1), bytes: [1, 0, 0, 0, 0xFF])
    for tensor in [nan, bytes] {
      let error = #expect(throws: ApusError.self) {
        try Self.response([tensor]).encoded { _ in false }
      }
      #expect(error?.description.contains("binary") == true)
      #expect(try Self.response([tensor]).encoded { _ in true }.body.count > 0)
    }
  }

  /// What one side writes as JSON the other reads as the same bytes.
  @Test(arguments: InferenceDatatype.allCases)
  func everyTypeComesThroughJSON(datatype: InferenceDatatype) throws {
    let count = 1_000
    let bytes: [UInt8] =
      switch datatype {
      case .bool: (0..<count).map { UInt8($0 & 1) }
      case .bytes: (0..<count).flatMap { [1, 0, 0, 0, UInt8($0 & 0x7F)] }
      default: (0..<(count * (datatype.byteCount ?? 0))).map { _ in UInt8.random(in: 0...255) }
      }
    let tensor = try InferenceTensor("x", datatype, .vector(count), bytes: Self.finite(bytes, datatype)[...])
    let answer = try Self.response([tensor]).encoded { _ in false }
    let text = String(decoding: answer.body, as: UTF8.self).replacing("\"outputs\"", with: "\"inputs\"")
    #expect(try InferenceRequest(body: Array(text.utf8)).inputs == [tensor])
  }

  /// The same with the exponents of NaN and infinity made smaller.
  private static func finite(_ bytes: [UInt8], _ datatype: InferenceDatatype) -> [UInt8] {
    guard [.float16, .bfloat16, .float32, .float64].contains(datatype), let size = datatype.byteCount else {
      return bytes
    }
    return bytes.enumerated().map { $0.offset % size == size - 1 ? $0.element & 0xBF : $0.element }
  }
}
