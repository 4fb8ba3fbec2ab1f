import Apus
import InferenceProtocol
import Testing

@Suite struct InferenceDatatypeTests {
  @Test func everyTypeButBytesHasASize() {
    #expect(InferenceDatatype.allCases.filter { $0.byteCount == nil } == [.bytes])
  }

  @Test func namesAreFoundOrListed() throws {
    #expect(try InferenceDatatype(named: "FP16") == .float16)
    let error = #expect(throws: ApusError.self) { try InferenceDatatype(named: "FLOAT") }
    #expect(error?.description.contains("'FLOAT', only BOOL, UINT8") == true)
  }

  @Test func configurationsSayString() {
    #expect(InferenceDatatype.bytes.configurationName == "TYPE_STRING")
    #expect(InferenceDatatype.float32.configurationName == "TYPE_FP32")
  }
}
