import TensorCore

extension SentencePieceModel {
  /// Checks what holds between the pieces: one is the unknown one, none is there twice, and the 256 bytes
  /// are there exactly when the model falls back on them.
  mutating func verify() throws(ApusError) {
    var (text, reserved) = (ByteTrie(), ByteTrie())
    var unknown: Int?
    var bytesFound = Set<UInt8>()
    for id in 0..<pieces.count {
      switch types[id] {
      case .normal, .userDefined, .unused:
        try insert(id, into: &text)
        continue
      case .unknown:
        if let unknown { throw malformed("a second unknown piece, after piece \(unknown)", id) }
        unknown = id
      case .byte:
        guard trainer.byteFallback else {
          throw malformed("a byte piece in a model without byte fallback", id)
        }
        guard let byte = ByteToken.byte(of: pieces[id]) else {
          throw malformed("not a byte piece <0xNN>", id)
        }
        bytesFound.insert(byte)
      case .control: break
      }
      try insert(id, into: &reserved)
    }
    guard let unknown else {
      throw ApusError(
        .malformedModel, "none of the \(pieces.count) pieces is the unknown piece", at: "pieces")
    }
    guard !trainer.byteFallback || bytesFound.count == 256 else {
      throw ApusError(
        .malformedModel, "the model falls back on bytes but has \(bytesFound.count) byte pieces",
        expected: "256", at: "pieces")
    }
    unknownID = Int32(unknown)
    textPieces = text
    reservedPieces = reserved
  }

  private func insert(_ id: Int, into trie: inout ByteTrie) throws(ApusError) {
    let earlier = try trie.insert(pieces[id], Int32(id))
    guard earlier == ByteTrie.none else { throw malformed("the same piece as piece \(earlier)", id) }
  }

  private func malformed(_ problem: String, _ id: Int) -> ApusError {
    let text = pieces.text(of: Int32(id)) ?? ""
    return ApusError(.malformedModel, problem, at: "piece \(id) '\(text.prefix(40))'")
  }
}
