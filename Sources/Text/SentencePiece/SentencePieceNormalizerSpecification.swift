import Formats
import TensorCore

/// A `NormalizerSpec` message: how text is changed before it is cut.
package struct SentencePieceNormalizerSpecification: Sendable {
  /// The bytes of a ``PrecompiledCharacterMap``; empty when no character is replaced.
  package internal(set) var characterMap: [UInt8] = []
  /// Whether a space is put before the text.
  package internal(set) var addsDummyPrefix = true
  /// Whether spaces at the ends go, and several become one.
  package internal(set) var removesExtraSpaces = true
  /// Whether spaces become U+2581.
  package internal(set) var escapesSpaces = true

  /// Takes over the fields of a message; later ones replace earlier ones.
  mutating func read(_ message: ArraySlice<UInt8>) throws(ApusError) {
    var reader = ProtobufReader(message)
    while let field = try reader.next() {
      switch field.number {
      case 2: characterMap = Array(try field.bytes())
      case 3: addsDummyPrefix = try field.bool()
      case 4: removesExtraSpaces = try field.bool()
      case 5: escapesSpaces = try field.bool()
      default: break
      }
    }
  }
}
