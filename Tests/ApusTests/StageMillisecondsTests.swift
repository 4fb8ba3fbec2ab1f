import Foundation
import Testing

@testable import Apus

/// Times that were written down are read again.
@Suite struct StageMillisecondsTests {
  @Test func whatIsWrittenIsRead() throws {
    let times = StageMilliseconds(decode: 1, tokenize: 2, preprocess: 3, run: 4, rank: 5, labels: 6)
    let read = try JSONDecoder().decode(StageMilliseconds.self, from: JSONEncoder().encode(times))
    #expect(read == times)
  }

  @Test func anEarlierVersionKnewOfNoTokens() throws {
    let text = #"{"decode": 1, "preprocess": 3, "run": 4, "rank": 5, "labels": 6}"#
    let read = try JSONDecoder().decode(StageMilliseconds.self, from: Data(text.utf8))
    #expect(read == StageMilliseconds(decode: 1, preprocess: 3, run: 4, rank: 5, labels: 6))
    let cut = Data(text.replacing("\"run\": 4, ", with: "").utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(StageMilliseconds.self, from: cut) }
  }
}
