import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// Tokens that differ by composition alone, é in one character and in two, as `Tools/fixtures/tokenizers/compositions.py`
/// has them from transformers. All is compared by code points: to Swift both texts are the same.
@Suite("Tokens that differ by composition alone")
struct CompositionTests {
  struct Row: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let files: [String: String]
    let ids: [Int32]
    let tokens: [String]
    let decoded: String
    let skipped: String
    let padding: Int32?
    let idsOfTokens: [Int32?]
    var testDescription: String { name }
  }

  private struct Fixture: Decodable {
    let text: String
    let rows: [Row]
  }

  private static let fixture = Result {
    try JSONDecoder().decode(
      Fixture.self, from: Data(contentsOf: Checkout.fixture("tokenizers/compositions.json")))
  }

  private static var rows: [Row] { (try? fixture.get().rows) ?? [] }

  @Test("are two tokens, wherever files state them", arguments: rows)
  func tokens(_ row: Row) throws {
    let folder = try TemporaryFolder()
    for (name, text) in row.files { try folder.write(name, text) }
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    let encoding = tokenizer.encode(try Self.fixture.get().text)
    #expect(encoding.ids == row.ids)
    #expect(encoding.tokens.map { ExactText($0) } == row.tokens.map { ExactText($0) })
    #expect(ExactText(tokenizer.decode(row.ids, skippingSpecialTokens: false)) == ExactText(row.decoded))
    #expect(ExactText(tokenizer.decode(row.ids)) == ExactText(row.skipped))
    #expect(["na\u{EF}ve", "nai\u{308}ve"].map { tokenizer.id(of: $0) } == row.idsOfTokens)
    #expect(tokenizer.configuration.paddingID == row.padding)
  }

  @Test("rows are there") func rowsAreThere() throws { #expect(try Self.fixture.get().rows.count == 12) }
}
