import CommandSupport
import Apus
import JSONCoding
import TensorCore
import Text

/// The output of `tokenize` for a line.
struct TokenReport {
  /// The form of input lines and of the output.
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

  /// Hands out what is printed of a line, in parts.
  /// - Parameter input: a text, or ids where they are decoded.
  /// - Throws: ``ApusError``, before the first part.
  func write(_ input: String, to output: (String) -> Void) throws(ApusError) {
    switch form {
    case .ids, .pieces, .counts, .records: try write(texts: [input], to: output)
    case .decoded:
      let text = try decoded(Self.ids(input))
      if quotes { JSON.string(text).write(to: output) } else { output(text) }
    case .decodedRecords:
      let ids = try Self.ids(input)
      JSON.object([("ids", .integers(ids)), ("text", .string(decoded(ids))), JSON.madeBy]).write(to: output)
    }
  }

  /// - Parameter texts: one, or the two of a pair.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the length cuts the special tokens around a pair; before the
  ///   first part.
  func write(texts: [String], to output: (String) -> Void) throws(ApusError) {
    let encoding = try encoding(texts)
    switch form {
    case .pieces: pieces(encoding).write(to: output)
    case .counts: output("\(encoding.ids.count)")
    case .records: record(texts, encoding).write(to: output)
    case .ids, .decoded, .decodedRecords: JSON.integers(encoding.ids).write(to: output)
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

  private func record(_ texts: [String], _ encoding: Encoding) -> JSON {
    let input: [JSON.Member] =
      texts.count == 2
      ? [("texts", .strings(texts)), ("types", .integers(encoding.tokenTypes))]
      : [("text", .string(texts.first ?? ""))]
    return .object(
      input + [
        ("ids", .integers(encoding.ids)), ("pieces", pieces(encoding)),
        ("count", .integer(encoding.content.count)), ("truncated", .bool(encoding.wasTruncated)), JSON.madeBy,
      ])
  }

  private func pieces(_ encoding: Encoding) -> JSON {
    .list(encoding.ids.count) { [tokenizer] in .string(tokenizer.token(of: encoding.ids[$0]) ?? "") }
  }

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
