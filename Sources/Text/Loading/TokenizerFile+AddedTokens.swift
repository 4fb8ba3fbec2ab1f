import Formats
import TensorCore

/// An added token with the id that a file states for it.
struct NumberedToken {
  let id: Int32
  let token: AddedToken
  /// The key of the id, and its file, for errors.
  let (place, file): (String, String)
}

extension TokenizerFile {
  /// The tokens that the file adds to the vocabulary, in its order.
  func numberedTokens() throws(ApusError) -> [NumberedToken] {
    var tokens: [NumberedToken] = []
    for reader in try root.optionalObjects("added_tokens") ?? [] {
      let id = Int32(truncatingIfNeeded: try reader.integer("id", in: 0...Int(Int32.max)))
      tokens.append(
        NumberedToken(id: id, token: try AddedToken(reader), place: reader.place("id"), file: file))
    }
    return tokens
  }
}

/// Added tokens as they come to their ids: new ones count on from the number of pieces. Where the ids of pieces leave
/// gaps, a token so may have the id of a piece, which it hides when ids are read.
struct AddedTokenList {
  private let model: any TokenModel
  private var all: [AddedToken] = []
  private var places: [ExactText: Int] = [:]
  /// The text of each id: that of the last token that was given it.
  private var contents: [Int32: ExactText] = [:]
  private var nextID: Int32

  init(model: any TokenModel) {
    self.model = model
    nextID = Int32(clamping: model.pieceCount)
  }

  /// The tokens that are in use: of those with one id the last, for the library drops the others.
  var tokens: [AddedToken] { all.filter { contents[$0.id] == $0.content } }

  /// Begins another call of the library, which counts on from behind the highest id of the tokens that are there: within
  /// a call those of the vocabulary do not count.
  mutating func beginRound() {
    guard let highest = all.map(\.id).max(), highest >= nextID else { return }
    nextID = highest < Int32.max ? highest + 1 : highest
  }

  /// Adds a token, or replaces the one of the same text.
  /// - Throws: ``ApusError`` when the id stated for it is not the one that the library gives it; it names the file.
  mutating func append(_ number: NumberedToken) throws(ApusError) {
    let token = number.token
    guard !token.content.isEmpty else { return }
    let known = known(token.content)
    let id = known ?? nextID
    guard id == number.id else {
      let reason =
        known == nil
        ? "the next id of added tokens" : "the id of '\(token.content.clipped)' in the vocabulary"
      throw ApusError(
        .configuration, "is \(number.id)", expected: "\(id), \(reason)", at: number.place, file: number.file)
    }
    place(token)
  }

  /// Adds tokens, but for those whose text is there already: of several of one text the last one's flags count. A token
  /// that has a name is special, whatever its flags say.
  mutating func appendNew(_ named: [AddedToken], _ further: [AddedToken]) {
    let known = places
    for token in named + further where !token.content.isEmpty && known[token.content] == nil { place(token) }
    for token in named { if let place = places[token.content] { all[place].isSpecial = true } }
  }

  /// The token of that text.
  func token(_ content: ExactText) -> AddedToken? { places[content].map { all[$0] } }

  private func known(_ content: ExactText) -> Int32? {
    places[content].map { all[$0].id } ?? model.id(of: content.text)
  }

  private mutating func place(_ token: AddedToken) {
    var token = token
    let (place, known) = (places[token.content], known(token.content))
    token.id = known ?? nextID
    if known == nil, nextID < Int32.max { nextID += 1 }
    contents[token.id] = token.content
    if let place {
      all[place] = token
    } else {
      places[token.content] = all.count
      all.append(token)
    }
  }
}

extension AddedToken {
  /// Reads the text and the flags of a token; the id is given later.
  init(_ reader: ConfigurationReader, normalizedDefault: Bool? = nil) throws(ApusError) {
    reader.passOver([KeysWithoutEffect("the class in Python", ["__type"])])
    id = 0
    content = ExactText(try reader.string("content"))
    isSingleWord = try reader.bool("single_word", default: false)
    stripsLeft = try reader.bool("lstrip", default: false)
    stripsRight = try reader.bool("rstrip", default: false)
    isSpecial = try reader.bool("special", default: false)
    isNormalized = try reader.bool("normalized", default: normalizedDefault ?? !isSpecial)
  }
}
