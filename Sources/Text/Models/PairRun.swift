/// A word that comes part by part, on its way through byte-pair encoding.
struct PairRun: WordRun {
  /// How far a word has come.
  struct Place {
    /// Whether none of it was looked up.
    var isFirst = true
    /// Whether its last characters are unknown, and their token has not been given.
    var pendingUnknown = false
  }

  private let model: any TokenModel
  private let merger: PairMerger
  private let lookUp: LookUp
  /// Bytes of the longest word that is taken whole where it is a piece.
  private let longestWhole: Int
  /// What was not looked up: the word as long as it may be a piece, then its last character, which may be another piece at
  /// the end of the word.
  private var text: [UInt8] = []
  private var place = Place()
  /// What was looked up and not joined.
  private var joining = PairMerger.Window()

  typealias LookUp = (Span<UInt8>, Bool, inout Place, inout [Int32]) -> Void

  /// - Parameters:
  ///   - model: looks up a word of which all has come.
  ///   - lookUp: appends the ids of some characters of a word.
  init(_ model: any TokenModel, _ pairs: BytePairEncoding, looksUp lookUp: @escaping LookUp) {
    (self.model, merger, self.lookUp) = (model, pairs.merger, lookUp)
    longestWhole = pairs.vocabulary.longest
  }

  init(_ model: BytePairEncoding, looksUp lookUp: @escaping LookUp) {
    self.init(model, model, looksUp: lookUp)
  }

  mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
    text += part
    let word = text
    if isLast, place.isFirst { return model.appendIDs(of: word[...], to: &ids) }
    guard isLast || word.count > longestWhole, !word.isEmpty else { return }
    let end = word.count - (isLast ? 0 : word.span.scalar(before: word.count).length)
    lookUp(word.span.extracting(0..<end), isLast, &place, &joining.ids)
    text = Array(word[end...])
    merger.merge(&joining, isLast: isLast, limit: limit, to: &ids)
  }
}
