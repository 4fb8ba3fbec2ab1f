import InferenceProtocol
import Testing

@Suite struct InferenceDatatypeTests {
  @Test func everyTypeButBytesHasASize() {
    #expect(InferenceDatatype.allCases.filter { $0.byteCount == nil } == [.bytes])
  }
}
