import TensorCore

/// A sentencepiece model that cuts text into ids as the sentencepiece library does, and joins ids to text.
package struct SentencePieceTokenizer: Sendable {
  package let model: SentencePieceModel
  let normalizer: SentencePieceNormalizer
  private let denormalizer: SentencePieceNormalizer?
  let segmenter: any TextSegmenter
  /// The ids of `<0x00>` … `<0xFF>`; nil without byte fallback.
  let byteIDs: [Int32]?
  /// Bytes of a text that are cut together.
  var partLength = 1 << 16

  /// - Throws: ``ApusError`` when a character map of the model is malformed.
  package init(_ model: SentencePieceModel) throws(ApusError) {
    self.model = model
    let userDefined = try UserDefinedPieces(of: model)
    normalizer = try SentencePieceNormalizer(
      model.normalizer, userDefined: userDefined, treatsSpaceAsSuffix: model.trainer.treatsSpaceAsSuffix)
    if let specification = model.denormalizer, !specification.characterMap.isEmpty {
      denormalizer = try SentencePieceNormalizer(specification)
    } else {
      denormalizer = nil
    }
    segmenter =
      switch model.trainer.modelType {
      case .unigram: try UnigramSegmenter(model)
      case .bytePairEncoding: SentencePieceMergeSegmenter(model, userDefined: userDefined)
      case .word: SentencePieceWordSegmenter(model)
      case .character: SentencePieceCharacterSegmenter(model: model, userDefined: userDefined)
      }
    byteIDs =
      model.trainer.byteFallback
      ? (0...255).map { model.id(of: Array(ByteToken.text(of: $0).utf8)[...]) } : nil
  }

  /// The ids of a text, any bytes, without special ones.
  package func encode(_ text: [UInt8]) -> [Int32] {
    var ids: [Int32] = []
    guard text.count > partLength else {
      appendIDs(ofWhole: text, to: &ids)
      return ids
    }
    var run = SentencePieceRun(self)
    text[...].forEachPart(of: partLength) { part, isLast in
      run.append(part, isLast: isLast, limit: .max, to: &ids)
      return true
    }
    return ids
  }

  /// Appends the ids of a segment.
  @inline(__always)
  func append(
    _ id: Int32, _ segment: @autoclosure () -> ArraySlice<UInt8>, followsUnknown: inout Bool,
    to ids: inout [Int32]
  ) {
    let isUnknown = id == TextSegment.unknown
    if !isUnknown {
      ids.append(id)
    } else if let byteIDs {
      for byte in segment() { ids.append(byteIDs[Int(byte)]) }
    } else if !followsUnknown {
      ids.append(model.unknownID)
    }
    followsUnknown = isUnknown
  }

  private func appendIDs(ofWhole text: [UInt8], to ids: inout [Int32]) {
    let normalized = normalizer.normalize(text)
    var followsUnknown = false
    for segment in segmenter.segments(of: normalized[...]) {
      append(segment.id, normalized[segment.range], followsUnknown: &followsUnknown, to: &ids)
    }
  }

  /// The ids of a text without special ones.
  package func encode(_ text: String) -> [Int32] { encode(Array(text.utf8)) }

  /// The text of ids. Control pieces give nothing; bytes that make no character give U+FFFD.
  /// - Throws: ``ApusError`` for an id that is no piece.
  package func decode(_ ids: [Int32]) throws(ApusError) -> String {
    var pieces: [ArraySlice<UInt8>] = []
    for id in ids {
      guard id >= 0, id < model.pieces.count else {
        throw ApusError(.argument, "the id is \(id)", expected: "0 to \(model.pieces.count - 1)")
      }
      pieces.append(model.pieces[Int(id)])
    }
    return String(decoding: decode(pieces: pieces), as: UTF8.self)
  }

  /// The text of pieces; what is no piece stays as it is.
  func decode(pieces: [some Collection<UInt8>]) -> [UInt8] {
    var decoder = SentencePieceDecoder(model)
    for piece in pieces { decoder.append(Array(piece)[...]) }
    let text = decoder.finish()
    return denormalizer?.normalize(text) ?? text
  }
}

extension UnigramSegmenter {
  /// What an unknown character costs beyond the least likely normal piece.
  private static let unknownPenalty: Float = 10

  /// What each byte but the first adds to the score of a user-defined piece.
  private static let userDefinedBonus = 0.1

  /// The segmenter of a model, with the scores that the sentencepiece library (0.2.3) gives: user-defined
  /// pieces gain by their length, unused ones have no part.
  fileprivate convenience init(_ model: SentencePieceModel) throws(ApusError) {
    let normal = model.scores.indices.lazy.filter { model.types[$0] == .normal }.map { model.scores[$0] }
    let worst = normal.min() ?? .greatestFiniteMagnitude
    var trie = model.textPieces
    if model.types.contains(.unused) {
      trie = ByteTrie()
      for id in model.scores.indices where [.normal, .userDefined].contains(model.types[id]) {
        try trie.insert(model.pieces[id], Int32(id))
      }
    }
    let scores = model.scores.indices.map { id in
      model.types[id] == .userDefined
        ? Double(Float(Double(model.pieces.length(of: id) - 1) * Self.userDefinedBonus))
        : Double(model.scores[id])
    }
    try self.init(
      trie: trie, pieces: model.pieces, scores: scores, unknownScore: Double(worst - Self.unknownPenalty),
      keepsSinglePrecision: true)
  }
}
