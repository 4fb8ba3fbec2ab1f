import TensorCore

/// A text as a model takes it.
public struct Encoding: Sendable, Equatable {
  /// The ids of the tokens, with padding where it was asked for.
  public internal(set) var ids: [Int32]
  /// The number of the segment of each token, for models that tell two texts apart.
  public internal(set) var tokenTypes: [Int32]
  /// 1 for each token that was put around the texts, and for padding; 0 for what is from a text.
  public internal(set) var specialTokensMask: [Int32]
  /// The bytes of its text, in UTF-8, that each token is from; empty, at 0, for special tokens and padding. Of a pair
  /// each is a place in its own text. Nil where they were not asked for, and where the tokenizer does not know them.
  public internal(set) var offsets: [Range<Int>]?
  /// Whether tokens were left out because the text was longer than the limit.
  public internal(set) var wasTruncated: Bool
  /// The places of `ids` that hold the text and its special tokens; the others are padding.
  public internal(set) var content: Range<Int>
  let names: TokenNames

  /// The pieces of the vocabulary that the ids stand for; an id that the vocabulary lacks gives an empty one.
  public var tokens: [String] { ids.map { names.piece(of: $0) ?? "" } }

  /// 1 for each place of `ids` that holds content, 0 for padding.
  public var attentionMask: [Int32] { ids.indices.map { content.contains($0) ? 1 : 0 } }

  /// Whether ids, types and what was cut are the same.
  public static func == (left: Encoding, right: Encoding) -> Bool {
    left.ids == right.ids && left.tokenTypes == right.tokenTypes && left.wasTruncated == right.wasTruncated
      && left.content == right.content
  }
}

extension Encoding {
  /// The same with tokens of type 0 alone, for a model that is told no types.
  package func withoutTypes() -> Encoding {
    var copy = self
    copy.tokenTypes = [Int32](repeating: 0, count: ids.count)
    return copy
  }

  /// The same with other ids in the place of its last ones, of which it must have as many.
  package func ending(in ids: [Int32]) -> Encoding {
    var copy = self
    copy.ids.replaceSubrange(Swift.max(0, copy.ids.count - ids.count)..., with: ids.suffix(copy.ids.count))
    return copy
  }

  /// Cuts special tokens off the end where there is no room even for them.
  mutating func cutSpecialTokens(to limit: Int) {
    guard ids.count > Swift.max(0, limit) else { return }
    ids.removeSubrange(Swift.max(0, limit)...)
    tokenTypes.removeSubrange(Swift.max(0, limit)...)
    specialTokensMask.removeSubrange(Swift.max(0, limit)...)
    offsets?.removeSubrange(Swift.max(0, limit)...)
    content = 0..<ids.count
    wasTruncated = true
  }

  /// Filled up to a length of its own, or of the longest of its batch.
  func padded(by padding: Padding, toAtLeast longest: Int) -> Encoding {
    let wanted = Swift.max(0, padding.length ?? longest)
    let multiple = Swift.max(1, padding.multiple)
    let (rounded, isTooLong) = ((wanted - 1) / multiple + 1).multipliedReportingOverflow(by: multiple)
    let missing = (wanted < 1 || isTooLong ? wanted : rounded) - ids.count
    guard missing > 0 else { return self }
    var copy = self
    let place = padding.side == .right ? ids.count : 0
    copy.ids.insert(contentsOf: repeatElement(padding.id, count: missing), at: place)
    copy.tokenTypes.insert(contentsOf: repeatElement(padding.tokenType, count: missing), at: place)
    copy.specialTokensMask.insert(contentsOf: repeatElement(1, count: missing), at: place)
    copy.offsets?.insert(contentsOf: repeatElement(0..<0, count: missing), at: place)
    if padding.side == .left { copy.content = missing..<(missing + ids.count) }
    return copy
  }
}

/// What each id stands for, over the added tokens and the vocabulary.
struct TokenNames: Sendable {
  let model: any TokenModel
  /// Added tokens, by id.
  let added: [Int32: AddedToken]
  /// Added tokens as decoding takes them, by id: in their normalised form where text is normalised.
  let decoded: [Int32: ExactText]
  /// The added tokens that decoding can leave out.
  let special: Set<ExactText>
  private let addedIDs: [ExactText: Int32]

  init(model: any TokenModel, added: [AddedToken], normalizedForms: [Int32: ExactText]) {
    self.model = model
    special = Set(added.filter(\.isSpecial).map(\.content))
    decoded = Dictionary(
      added.map { ($0.id, $0.isNormalized ? normalizedForms[$0.id] ?? $0.content : $0.content) },
      uniquingKeysWith: { $1 })
    self.added = Dictionary(added.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    addedIDs = Dictionary(added.map { ($0.content, $0.id) }, uniquingKeysWith: { $1 })
  }

  func piece(of id: Int32) -> String? { added[id]?.content.text ?? model.piece(of: id) }
  func id(of piece: String) -> Int32? { addedIDs[ExactText(piece)] ?? model.id(of: piece) }
}
