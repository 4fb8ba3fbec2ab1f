/// A text as a model takes it.
public struct Encoding: Sendable, Equatable {
  /// The ids of the tokens, with padding where it was asked for.
  public internal(set) var ids: [Int32]
  /// The number of the segment of each token, for models that tell two texts apart.
  public internal(set) var tokenTypes: [Int32]
  /// Whether tokens were left out because the text was longer than the limit.
  public internal(set) var wasTruncated: Bool
  /// The places of `ids` that hold the text and its special tokens; the others are padding.
  public internal(set) var content: Range<Int>
  let names: TokenNames

  /// The pieces of the vocabulary that the ids stand for; an id that the vocabulary lacks gives an empty one.
  public var tokens: [String] { ids.map { names.piece(of: $0) ?? "" } }

  /// 1 for each place of `ids` that holds content, 0 for padding.
  public var attentionMask: [Int32] { ids.indices.map { content.contains($0) ? 1 : 0 } }

  public static func == (left: Encoding, right: Encoding) -> Bool {
    left.ids == right.ids && left.tokenTypes == right.tokenTypes && left.wasTruncated == right.wasTruncated
      && left.content == right.content
  }
}

/// What each id stands for, over the added tokens and the vocabulary.
struct TokenNames: Sendable {
  let model: any TokenModel
  /// Added tokens, by id.
  let added: [Int32: AddedToken]
  private let addedIDs: [String: Int32]

  init(model: any TokenModel, added: [AddedToken]) {
    self.model = model
    self.added = Dictionary(added.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    addedIDs = Dictionary(added.map { ($0.content, $0.id) }, uniquingKeysWith: { $1 })
  }

  func piece(of id: Int32) -> String? { added[id]?.content ?? model.piece(of: id) }
  func id(of piece: String) -> Int32? { addedIDs[piece] ?? model.id(of: piece) }
}
