import Foundation
import Testing

@testable import Apus

/// Times that were written down are read again.
@Suite struct StageTimesTests {
  @Test func whatIsWrittenIsRead() throws {
    let times = StageTimes(decode: 1, tokenize: 2, preprocess: 3, run: 4, rank: 5, labels: 6)
    let read = try JSONDecoder().decode(StageTimes.self, from: JSONEncoder().encode(times))
    #expect(read == times && read.total == .milliseconds(21))
    let text = try JSONDecoder().decode([String: Double].self, from: JSONEncoder().encode(times))
    #expect(text == ["decode": 1, "tokenize": 2, "preprocess": 3, "run": 4, "rank": 5, "labels": 6])
  }

  /// Numbers that stand for no time end no program.
  @Test func numbersBeyondAllTimesAreRead() throws {
    let text = #"{"decode": 1e300, "preprocess": -1e300, "run": 0, "rank": 0, "labels": 0}"#
    let read = try JSONDecoder().decode(StageTimes.self, from: Data(text.utf8))
    #expect(read.decode > .seconds(1 << 32) && read.total == .zero)
  }

  @Test func anEarlierVersionKnewOfNoTokens() throws {
    let text = #"{"decode": 1, "preprocess": 3, "run": 4, "rank": 5, "labels": 6}"#
    let read = try JSONDecoder().decode(StageTimes.self, from: Data(text.utf8))
    #expect(read == StageTimes(decode: 1, preprocess: 3, run: 4, rank: 5, labels: 6))
    let cut = Data(text.replacing("\"run\": 4, ", with: "").utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(StageTimes.self, from: cut) }
  }
}
