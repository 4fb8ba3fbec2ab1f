import Formats
import TensorCore

/// How byte-level tokenizers leave the space around words out of the places of tokens (`trim_offsets`).
struct OffsetTrimming: Sendable, Equatable {
  /// Whether the first space of a text may be one that was put there.
  let addsPrefixSpace: Bool

  /// Leaves out as many characters of the text as a piece has spaces at its ends.
  /// - Parameters:
  ///   - text: the original.
  ///   - pieces: of each token.
  func trim(_ tokens: inout [PlacedToken], of text: [UInt8], pieces: (Int32) -> String) {
    for index in tokens.indices {
      let token = tokens[index]
      let piece = (token.found.map { String(decoding: $0, as: UTF8.self) } ?? pieces(token.id)).unicodeScalars
      var leading = piece.prefix(while: Self.isSpace).count
      let trailing = piece.reversed().prefix(while: Self.isSpace).count
      var (lower, upper) = (tokens[index].range.lowerBound, tokens[index].range.upperBound)
      if leading > 0 {
        if addsPrefixSpace, index == 0 || lower == 0 { leading -= 1 }
        for _ in 0..<leading where lower < upper { lower += text.span.scalar(at: lower).length }
      }
      for _ in 0..<trailing where upper > lower { upper -= text.span.scalar(before: upper).length }
      tokens[index].range = lower..<max(lower, upper)
    }
  }

  /// Space, or the character that a space is written as.
  private static func isSpace(_ character: Unicode.Scalar) -> Bool {
    character.value == 0x120 || CharacterProperties(character.value).contains(.whitespace)
  }
}

extension TokenizerFile {
  /// The trimming that the file's post-processors do, one after the other.
  func offsetTrimming() throws(ApusError) -> [OffsetTrimming] {
    try root.optionalObject("post_processor").map { (reader) throws(ApusError) in
      try Self.offsetTrimming(reader)
    } ?? []
  }

  private static func offsetTrimming(_ reader: ConfigurationReader) throws(ApusError) -> [OffsetTrimming] {
    switch try reader.string("type") {
    case "ByteLevel", "RobertaProcessing":
      guard try reader.bool("trim_offsets", default: true) else { return [] }
      return [OffsetTrimming(addsPrefixSpace: try reader.bool("add_prefix_space", default: true))]
    case "Sequence":
      return try reader.components("processors", offsetTrimming).flatMap(\.self)
    default: return []
    }
  }
}
