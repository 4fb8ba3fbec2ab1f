import TensorCore

/// Byte-pair encoding (Sennrich et al. 2016): the characters of a word, joined pair by pair in the order in which
/// the pairs were learnt.
struct BytePairEncoding: TokenModel {
  struct Options: Sendable {
    /// What stands for a character that the vocabulary lacks; without it such characters are left out.
    var unknownPiece: String?
    /// Whether neighbouring unknown characters are one unknown piece.
    var joinsUnknown = false
    /// Stands before every character but the first of a word.
    var continuation = ""
    /// Stands after the last character of a word.
    var wordEnd = ""
    /// Whether characters that the vocabulary lacks are given as the pieces `<0x00>` … `<0xFF>` of their bytes.
    var fallsBackToBytes = false
    /// Whether a word that is a piece is taken whole, whatever the pairs.
    var prefersWholeWords = false
  }

  /// The place of a character in its word, which decides what belongs before and after it.
  enum Form: Int {
    case first, alone, inner, last

    static let all: [Form] = [.first, .alone, .inner, .last]

    @inline(__always)
    init(isFirst: Bool, isLast: Bool) {
      self = isFirst ? (isLast ? .alone : .first) : (isLast ? .last : .inner)
    }
  }

  let vocabulary: Vocabulary
  let merger: PairMerger
  let options: Options
  let unknown: Int32?
  let continuation: [UInt8]
  let wordEnd: [UInt8]
  /// The ids of `<0x00>` … `<0xFF>`; -1 where there is none.
  private let byteIDs: [Int32]
  /// The ids of characters below 128 in each form; -1 for none.
  private let asciiIDs: [[Int32]]

  /// - Throws: ``ApusError`` when pairs or the unknown piece are not in the vocabulary.
  init(vocabulary: Vocabulary, merges: MergeList, options: Options) throws(ApusError) {
    self.vocabulary = vocabulary
    self.options = options
    merger = PairMerger(
      merges: try merges.table(in: vocabulary, continuation: options.continuation),
      longestPiece: max(1, vocabulary.longest))
    unknown = try Self.unknown(options, vocabulary)
    continuation = Array(options.continuation.utf8)
    wordEnd = Array(options.wordEnd.utf8)
    byteIDs = (0...255).map { byte in vocabulary.id(of: ByteToken.text(of: byte)) ?? -1 }
    asciiIDs = Form.all.map { form in
      let before = form == .inner || form == .last ? options.continuation : ""
      let after = form == .alone || form == .last ? options.wordEnd : ""
      return (UInt8(0)..<128).map { vocabulary.id(of: before + String(Unicode.Scalar($0)) + after) ?? -1 }
    }
  }

  private static func unknown(_ options: Options, _ vocabulary: Vocabulary) throws(ApusError) -> Int32? {
    guard let piece = options.unknownPiece else { return nil }
    guard let id = vocabulary.id(of: piece) else {
      throw ApusError(
        .configuration, "the vocabulary lacks the piece '\(piece)' for unknown characters",
        at: "model.unk_token")
    }
    return id
  }

  var prefersWholeWords: Bool { options.prefersWholeWords }

  var vocabularySize: Int { vocabulary.idLimit }
  var pieceCount: Int { vocabulary.count }
  func id(of piece: String) -> Int32? { vocabulary.id(of: piece) }
  func piece(of id: Int32) -> String? { vocabulary.piece(of: id) }

  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    let word = text.span
    let start = ids.count
    if options.prefersWholeWords, let id = vocabulary.id(of: word) { return ids.append(id) }
    var place = PairRun.Place()
    appendCharacters(of: word, isLast: true, &place, to: &ids)
    merger.merge(&ids, from: start)
  }

  func wordRun() -> any WordRun { PairRun(self, looksUp: appendCharacters) }

  /// Appends the ids of characters.
  /// - Parameters:
  ///   - isLast: whether the word ends with them.
  ///   - place: how far the word has come.
  func appendCharacters(
    of word: Span<UInt8>, isLast: Bool, _ place: inout PairRun.Place, to ids: inout [Int32]
  ) {
    var position = 0
    var pendingUnknown = place.pendingUnknown
    let isFirst = place.isFirst
    while position < word.count {
      let first = word[position]
      let length = first < 0x80 ? 1 : word.scalar(at: position).length
      let end = position + length
      let form = Form(isFirst: isFirst && position == 0, isLast: isLast && end == word.count)
      let known =
        first < 0x80 ? asciiIDs[form.rawValue][Int(first)] : id(ofCharacter: word, position..<end, form: form)
      if known >= 0 {
        if pendingUnknown, let unknown { ids.append(unknown) }
        pendingUnknown = false
        ids.append(known)
      } else if !(options.fallsBackToBytes && appendBytes(of: word, position..<end, form: form, to: &ids)),
        let unknown
      {
        if pendingUnknown, !options.joinsUnknown { ids.append(unknown) }
        pendingUnknown = true
      }
      position = end
    }
    if isLast, pendingUnknown, let unknown { ids.append(unknown) }
    place.isFirst = isFirst && word.isEmpty
    place.pendingUnknown = pendingUnknown
  }

  /// The id of a character with what belongs before and after it; -1 for none.
  func id(ofCharacter word: Span<UInt8>, _ range: Range<Int>, form: Form) -> Int32 {
    if continuation.isEmpty, wordEnd.isEmpty || form == .first || form == .inner {
      return vocabulary.id(of: word.extracting(range)) ?? -1
    }
    return vocabulary.id(of: dressed(word, range, form: form).span) ?? -1
  }

  private func dressed(_ word: Span<UInt8>, _ range: Range<Int>, form: Form) -> [UInt8] {
    var piece = form == .inner || form == .last ? continuation : []
    for index in range { piece.append(word[index]) }
    return form == .alone || form == .last ? piece + wordEnd : piece
  }

  /// Appends the pieces of the bytes of a character and of what belongs around it, if there are all.
  private func appendBytes(
    of word: Span<UInt8>, _ range: Range<Int>, form: Form, to ids: inout [Int32]
  ) -> Bool {
    let bytes = dressed(word, range, form: form)
    guard bytes.allSatisfy({ byteIDs[Int($0)] >= 0 }) else { return false }
    for byte in bytes { ids.append(byteIDs[Int(byte)]) }
    return true
  }
}
