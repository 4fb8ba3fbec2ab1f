/// A step from pieces back to text; the pieces that the last one gives are put together.
protocol TokenDecoder: Sendable {
  func decode(_ pieces: [[UInt8]]) -> [[UInt8]]
}

/// Steps one after another.
struct DecoderSequence: TokenDecoder {
  let steps: [any TokenDecoder]

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    steps.reduce(pieces) { $1.decode($0) }
  }
}

/// The pieces with spaces between them, for tokenizers that name no decoder.
struct SpacedPieces: TokenDecoder {
  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] { [Array(pieces.joined(separator: [0x20]))] }
}

/// The pieces as one.
struct FusedPieces: TokenDecoder {
  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] { [Array(pieces.joined())] }
}
