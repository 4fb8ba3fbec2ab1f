import CommandSupport
import Apus
import Formats
import TensorCore
import Text

/// What `tokenize` prints for a line.
struct TokenReport {
  /// What a line is read as, and what is printed of it.
  enum Form {
    case ids, pieces, counts, records, decoded, decodedRecords
  }

  private let tokenizer: Tokenizer
  private let form: Form
  private let special: Bool?
  private let truncation: Truncation?
  private let padding: Text.Padding?
  private let quotes: Bool

  /// - Parameters:
  ///   - special: whether special tokens are put in, or left; nil for what is usual.
  ///   - pads: whether texts are cut and filled up to the length that the tokenizer's files state.
  ///   - quotes: whether decoded texts are written as JSON strings.
  /// - Throws: ``ApusError`` of kind `configuration` when the files state no length, of kind `unsupportedModel` when it
  ///   cuts special tokens.
  init(
    _ tokenizer: Tokenizer, form: Form, special: Bool?, pads: Bool, quotes: Bool
  ) throws(ApusError) {
    self.tokenizer = tokenizer
    self.form = form
    self.special = special
    self.quotes = quotes
    (truncation, padding) = try pads ? Self.lengths(tokenizer) : (nil, nil)
    if let truncation, special ?? true {
      try tokenizer.requireSpecialTokens(fit: truncation.maximumLength)
    }
  }

  /// - Parameter input: a text, or ids where they are decoded.
  func line(_ input: String) throws(ApusError) -> String {
    switch form {
    case .ids, .pieces, .counts, .records: return try line(ofTexts: [input])
    case .decoded:
      let text = try decoded(Self.ids(input))
      return quotes ? JSON.string(text).text : text
    case .decodedRecords:
      let ids = try Self.ids(input)
      let text = decoded(ids)
      return JSON.object([
        ("ids", .array(ids.map { .integer(Int($0)) })), ("text", .string(text)), JSON.madeBy,
      ]).text
    }
  }

  /// - Parameter texts: one, or the two of a pair.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the length cuts the special tokens around a pair.
  func line(ofTexts texts: [String]) throws(ApusError) -> String {
    let encoding = try encoding(texts)
    return switch form {
    case .pieces: JSON.strings(encoding.tokens).text
    case .counts: "\(encoding.ids.count)"
    case .records: record(texts, encoding)
    case .ids, .decoded, .decodedRecords: JSONText.list(encoding.ids)
    }
  }

  private func encoding(_ texts: [String]) throws(ApusError) -> Encoding {
    let special = special ?? true
    guard texts.count == 2 else {
      return tokenizer.encode(
        texts.first ?? "", addingSpecialTokens: special, truncation: truncation, padding: padding)
    }
    if let truncation, special {
      try tokenizer.requireSpecialTokens(fit: truncation.maximumLength, ofPairs: true)
    }
    return tokenizer.encode(
      texts[0], texts[1], addingSpecialTokens: special, truncation: truncation, padding: padding)
  }

  private func decoded(_ ids: [Int32]) -> String {
    tokenizer.decode(ids, skippingSpecialTokens: !(special ?? false))
  }

  private func record(_ texts: [String], _ encoding: Encoding) -> String {
    let types = JSON.array(encoding.tokenTypes.map { .integer(Int($0)) })
    let input: [(String, JSON)] =
      texts.count == 2
      ? [("texts", .strings(texts)), ("types", types)] : [("text", .string(texts.first ?? ""))]
    let members: [(String, JSON)] = [
      ("ids", Self.ids(encoding)), ("pieces", .strings(encoding.tokens)),
      ("count", .integer(encoding.content.count)), ("truncated", .bool(encoding.wasTruncated)), JSON.madeBy,
    ]
    return JSON.object(input + members).text
  }

  private static func ids(_ encoding: Encoding) -> JSON { .array(encoding.ids.map { .integer(Int($0)) }) }

  /// The ids of a line: a JSON list, or numbers with spaces or commas between them.
  private static func ids(_ line: String) throws(ApusError) -> [Int32] {
    var rest = line.trimmed[...]
    if rest.hasPrefix("["), rest.hasSuffix("]"), rest.count > 1 { rest = rest.dropFirst().dropLast() }
    var ids: [Int32] = []
    for word in rest.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      guard let id = Int32(word) else {
        throw ApusError(
          .argument, "'\(String(word).clipped)' among the ids", expected: "numbers such as [101, 102]")
      }
      ids.append(id)
    }
    return ids
  }

  /// The cut and the filling up to the length that the tokenizer's files state.
  private static func lengths(
    _ tokenizer: Tokenizer
  ) throws(ApusError) -> (truncation: Truncation?, padding: Text.Padding?) {
    let configuration = tokenizer.configuration
    guard let length = configuration.maximumLength ?? configuration.truncation?.maximumLength,
      let id = configuration.paddingID
    else {
      throw ApusError(
        .configuration, "the tokenizer's files state no length or no padding token",
        expected: "both for --pad")
    }
    return (
      Truncation(maximumLength: length, side: configuration.truncationSide),
      Text.Padding(length: length, id: id, side: configuration.paddingSide)
    )
  }
}
