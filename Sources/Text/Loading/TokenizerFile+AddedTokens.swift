import Formats
import TensorCore

extension TokenizerFile {
  /// The tokens added to the vocabulary, with the ids that the `tokenizers` library gives them: those of the
  /// vocabulary where it has them, whatever the file says, and else the next free ones.
  func addedTokens(model: any TokenModel) throws(ApusError) -> [AddedToken] {
    let tokens = try root.optionalList("added_tokens", of: "objects") { value in
      if case .object = value { value } else { nil }
    }
    var added = AddedTokenList(model: model)
    for (number, token) in (tokens ?? []).enumerated() {
      let reader = try ConfigurationReader(token, file: file, path: "added_tokens[\(number)]")
      let id = try reader.integer("id", in: 0...Int(Int32.max))
      try added.append(try AddedToken(reader), statedID: id, at: reader)
    }
    return added.tokens
  }
}

/// Added tokens as they come to their ids.
struct AddedTokenList {
  private let model: any TokenModel
  private(set) var tokens: [AddedToken] = []
  private var places: [String: Int] = [:]
  private var nextID: Int32

  init(model: any TokenModel) {
    self.model = model
    nextID = Int32(clamping: model.vocabularySize)
  }

  /// Adds a token, or replaces the one of the same text.
  /// - Throws: ``ApusError`` when the id stated for it is not the one that the library gives it.
  mutating func append(_ token: AddedToken, statedID: Int, at reader: ConfigurationReader) throws(ApusError) {
    guard !token.content.isEmpty else { return }
    var token = token
    let place = places[token.content]
    let known = place.map { tokens[$0].id } ?? model.id(of: token.content)
    token.id = known ?? nextID
    guard Int(token.id) == statedID else {
      let reason =
        known == nil ? "the next free id" : "the id of '\(token.content.clipped)' in the vocabulary"
      throw reader.unexpected("id", reader.value("id"), "\(token.id), \(reason)")
    }
    if known == nil, nextID < Int32.max { nextID += 1 }
    if let place {
      tokens[place] = token
    } else {
      places[token.content] = tokens.count
      tokens.append(token)
    }
  }
}

extension AddedToken {
  /// Reads the text and the flags of a token; the id is given later.
  init(_ reader: ConfigurationReader) throws(ApusError) {
    id = 0
    content = try reader.string("content")
    isSingleWord = try reader.bool("single_word", default: false)
    stripsLeft = try reader.bool("lstrip", default: false)
    stripsRight = try reader.bool("rstrip", default: false)
    isSpecial = try reader.bool("special", default: false)
    isNormalized = try reader.bool("normalized", default: !isSpecial)
  }
}
