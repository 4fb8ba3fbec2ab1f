import Formats
import TensorCore

extension TokenizerFile {
  /// The decoder of the file; pieces with spaces between them when it names none.
  func decoder() throws(ApusError) -> any TokenDecoder {
    guard let reader = try root.optionalObject("decoder") else { return SpacedPieces() }
    return try Self.decoder(reader)
  }

  static let byteLevelSettings = KeysWithoutEffect(
    "cutting text, which neither a decoder nor a post-processor does", ["add_prefix_space", "use_regex"])

  private static func decoder(_ reader: ConfigurationReader) throws(ApusError) -> any TokenDecoder {
    switch try reader.string("type") {
    case "Sequence": return DecoderSequence(steps: try reader.components("decoders", Self.decoder))
    case "WordPiece":
      return WordPieceDecoder(
        continuation: Array(try reader.string("prefix").utf8), cleansUp: try reader.bool("cleanup"))
    case "ByteLevel":
      reader.passOver([TokenizerFile.placesOfTokens, TokenizerFile.byteLevelSettings])
      return ByteLevelDecoder()
    case "ByteFallback": return ByteFallbackDecoder()
    case "Fuse": return FusedPieces()
    case "BPEDecoder": return WordEndDecoder(suffix: Array(try reader.string("suffix").utf8))
    case "Metaspace":
      let metaspace = try Metaspace(reader)
      return MetaspaceDecoder(mark: metaspace.mark, keepsFirst: metaspace.prepending == .never)
    case "Replace":
      return PatternReplacer(
        pattern: try TextPattern(reader, "pattern"), replacement: Array(try reader.string("content").utf8))
    case "Strip":
      return StripDecoder(
        character: try reader.character("content"),
        atStart: try reader.integer("start", in: 0...Int(Int32.max)),
        atEnd: try reader.integer("stop", in: 0...Int(Int32.max)))
    default: throw reader.unknownComponent("decoder")
    }
  }
}
