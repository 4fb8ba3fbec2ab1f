import Formats
import TensorCore

extension TokenizerFile {
  /// The tokens added to the vocabulary, with the ids that the `tokenizers` library gives them: those of the
  /// vocabulary where it has them, whatever the file says, and else the next free ones.
  func addedTokenList(model: any TokenModel) throws(ApusError) -> AddedTokenList {
    var added = AddedTokenList(model: model)
    for reader in try root.optionalObjects("added_tokens") ?? [] {
      let id = Int32(truncatingIfNeeded: try reader.integer("id", in: 0...Int(Int32.max)))
      do throws(ApusError) {
        try added.append(try AddedToken(reader), statedID: id)
      } catch {
        throw error.at(reader.place("id")).inFile(file)
      }
    }
    return added
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
  mutating func append(_ token: AddedToken, statedID: Int32) throws(ApusError) {
    guard !token.content.isEmpty else { return }
    let known = known(token.content)
    let id = known ?? nextID
    guard id == statedID else {
      let reason =
        known == nil ? "the next free id" : "the id of '\(token.content.clipped)' in the vocabulary"
      throw ApusError(.configuration, "is \(statedID)", expected: "\(id), \(reason)")
    }
    place(token)
  }

  /// Adds tokens, but for those whose text is there already: of several of one text the last one's flags count. A token
  /// that has a name is special, whatever its flags say.
  mutating func appendNew(_ named: [AddedToken], _ further: [AddedToken]) {
    let known = places
    for token in named + further where !token.content.isEmpty && known[token.content] == nil { place(token) }
    for token in named { if let place = places[token.content] { tokens[place].isSpecial = true } }
  }

  /// The token of that text.
  func token(_ content: String) -> AddedToken? { places[content].map { tokens[$0] } }

  private func known(_ content: String) -> Int32? {
    places[content].map { tokens[$0].id } ?? model.id(of: content)
  }

  private mutating func place(_ token: AddedToken) {
    var token = token
    let (place, known) = (places[token.content], known(token.content))
    token.id = known ?? nextID
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
  init(_ reader: ConfigurationReader, normalizedDefault: Bool? = nil) throws(ApusError) {
    reader.passOver([KeysWithoutEffect("the class in Python", ["__type"])])
    id = 0
    content = try reader.string("content")
    isSingleWord = try reader.bool("single_word", default: false)
    stripsLeft = try reader.bool("lstrip", default: false)
    stripsRight = try reader.bool("rstrip", default: false)
    isSpecial = try reader.bool("special", default: false)
    isNormalized = try reader.bool("normalized", default: normalizedDefault ?? !isSpecial)
  }
}
