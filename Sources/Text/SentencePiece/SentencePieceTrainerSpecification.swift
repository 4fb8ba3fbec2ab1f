import Formats
import TensorCore

/// The part of a `TrainerSpec` message that decides how text is cut.
package struct SentencePieceTrainerSpecification: Sendable {
  /// How text is cut into pieces.
  package enum ModelType: Int32, Sendable {
    case unigram = 1
    case bytePairEncoding = 2
    case word = 3
    case character = 4
  }

  package internal(set) var modelType = ModelType.unigram
  /// Whether the space of the dummy prefix, and of words, comes after them.
  package internal(set) var treatsSpaceAsSuffix = false
  package internal(set) var byteFallback = false
  /// The ids of the special pieces; -1 where the model has none.
  package internal(set) var unknownID: Int32 = 0
  package internal(set) var beginID: Int32 = 1
  package internal(set) var endID: Int32 = 2
  package internal(set) var paddingID: Int32 = -1
  /// The text that the unknown piece is decoded to: U+2047 between spaces, unless the model says otherwise.
  package internal(set) var unknownSurface = Array(" \u{2047} ".utf8)

  /// Takes over the fields of a message; later ones replace earlier ones.
  mutating func read(_ message: ArraySlice<UInt8>) throws(ApusError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch field.number {
      case 3:
        let number = try field.int32()
        guard let known = ModelType(rawValue: number) else {
          throw ApusError.malformedMessage("the model type is \(number)", "1 to 4", field.offset)
        }
        modelType = known
      case 24: treatsSpaceAsSuffix = try field.bool()
      case 35: byteFallback = try field.bool()
      case 40: unknownID = try field.int32()
      case 41: beginID = try field.int32()
      case 42: endID = try field.int32()
      case 43: paddingID = try field.int32()
      case 44: unknownSurface = Array(try field.text())
      default: break
      }
    }
  }
}
