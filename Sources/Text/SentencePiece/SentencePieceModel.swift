import Formats
import TensorCore

/// What a sentencepiece model file (`spiece.model`, `tokenizer.model`) says: a `ModelProto` message.
package struct SentencePieceModel: Sendable {
  /// What a piece is for.
  package enum PieceType: Int32, Sendable {
    case normal = 1
    case unknown = 2
    /// Such as `</s>`; never found in text.
    case control = 3
    /// Found in text before anything else, and kept whole.
    case userDefined = 4
    case unused = 5
    /// One byte, `<0xNN>`.
    case byte = 6
  }

  package internal(set) var pieces = PieceTable()
  package internal(set) var scores: [Float] = []
  package internal(set) var types: [PieceType] = []
  package internal(set) var trainer = SentencePieceTrainerSpecification()
  package internal(set) var normalizer = SentencePieceNormalizerSpecification()
  /// Applied to decoded text; nil when there is none.
  package internal(set) var denormalizer: SentencePieceNormalizerSpecification?
  /// The ids of normal, user-defined and unused pieces.
  package internal(set) var textPieces = ByteTrie()
  /// The ids of the unknown, control and byte pieces, which no text becomes by being cut.
  package internal(set) var reservedPieces = ByteTrie()
  /// The id of the unknown piece.
  package internal(set) var unknownID: Int32 = 0

  /// Reads and verifies the bytes of a model file.
  /// - Throws: ``ApusError`` naming the byte or piece that breaks the format.
  package init(_ bytes: [UInt8]) throws(ApusError) {
    var reader = ProtobufReader(bytes[...])
    while let field = try reader.next() {
      switch field.number {
      case 1: try appendPiece(try field.bytes())
      case 2: try trainer.read(try field.bytes())
      case 3: try normalizer.read(try field.bytes())
      case 5:
        var specification = denormalizer ?? SentencePieceNormalizerSpecification()
        try specification.read(try field.bytes())
        denormalizer = specification
      default: break
      }
    }
    try verify()
  }

  /// The id of a piece; that of the unknown piece when there is none.
  package func id(of piece: ArraySlice<UInt8>) -> Int32 {
    let reserved = reservedPieces.value(of: piece)
    if reserved != ByteTrie.none { return reserved }
    let text = textPieces.value(of: piece)
    return text == ByteTrie.none ? unknownID : text
  }

  private mutating func appendPiece(_ message: ArraySlice<UInt8>) throws(ApusError) {
    let offset = message.startIndex
    var (piece, score, type) = (ArraySlice<UInt8>(), Float(0), PieceType.normal)
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch field.number {
      case 1: piece = try field.text()
      case 2: score = try field.float()
      case 3:
        let number = try field.int32()
        guard let known = PieceType(rawValue: number) else {
          throw ApusError.malformedMessage("the type of the piece is \(number)", "1 to 6", field.offset)
        }
        type = known
      default: break
      }
    }
    guard !piece.isEmpty else { throw ApusError.malformedMessage("the piece is empty", nil, offset) }
    guard score.isFinite else {
      throw ApusError.malformedMessage("the score is \(score)", "a finite number", offset)
    }
    guard types.count < Int(Int32.max) else {
      throw ApusError.malformedMessage("over \(Int32.max) pieces", nil, offset)
    }
    pieces.append(piece)
    scores.append(score)
    types.append(type)
  }
}
