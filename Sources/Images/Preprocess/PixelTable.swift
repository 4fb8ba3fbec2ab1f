/// What each of the 256 values of a channel becomes: normalised and, for integer inputs, quantized.
struct PixelTable: Sendable {
  /// The numbers of a float input; empty for integer inputs.
  let floats: ChannelTable<Float>
  /// The bytes of an integer input; empty for float inputs.
  let bytes: ChannelTable<UInt8>
  /// Whether the picture's bytes are stored as they are (less 128 for int8).
  let passesBytes: Bool

  /// The bytes of a picture are passed as they are when that differs from the formula by at most one step
  /// everywhere. Then the model was trained on the bytes themselves: a scale of 1/128 with zero point 128,
  /// say, is what training notes down for x/127.5 − 1, and its runtime is fed the bytes.
  ///
  /// Where the input's type has no other meaning than the bytes, they are passed whatever the formula.
  init(_ normalization: Normalization, _ encoding: InputEncoding) {
    let floats = (0..<3).flatMap { channel in
      (0..<256).map { normalization.apply(Float($0), channel: channel) }
    }
    guard encoding != .float32 else {
      self.init(floats: floats, bytes: [], passesBytes: false)
      return
    }
    let quantized = floats.map(encoding.byte)
    let plain = (0..<(3 * 256)).map { encoding.unchanged(UInt8(truncatingIfNeeded: $0)) }
    let isPlain = zip(quantized, plain).allSatisfy { formula, byte in
      // Signed bytes keep their order when the sign bit is turned.
      abs(Int(encoding.unchanged(formula)) - Int(encoding.unchanged(byte))) <= 1
    }
    let passes = isPlain || encoding == .bytes
    self.init(floats: [], bytes: passes ? plain : quantized, passesBytes: passes)
  }

  private init(floats: [Float], bytes: [UInt8], passesBytes: Bool) {
    self.floats = ChannelTable(values: floats)
    self.bytes = ChannelTable(values: bytes)
    self.passesBytes = passesBytes
  }
}
