import TensorCore

/// Joins pieces to text as the sentencepiece library does.
struct SentencePieceDecoder {
  private let model: SentencePieceModel
  private var text: [UInt8] = []
  /// Byte pieces whose characters are not yet complete.
  private var pending: [UInt8] = []
  /// Whether a space at the beginning is still to be dropped.
  private var isAtBeginning = true
  private var droppedSpace = false

  init(_ model: SentencePieceModel) {
    self.model = model
  }

  /// Adds a piece, or text that is none.
  mutating func append(_ piece: ArraySlice<UInt8>) {
    let id = model.id(of: piece)
    let type = model.types[Int(id)]
    if type == .byte, let byte = ByteToken.byte(of: piece) {
      pending.append(byte)
      return
    }
    flushBytes()
    if droppedSpace || !text.isEmpty { isAtBeginning = false }
    droppedSpace = false
    switch type {
    case .control: break
    case .unknown:
      text.append(contentsOf: piece == model.pieces[Int(id)] ? model.trainer.unknownSurface[...] : piece)
    default: appendText(piece)
    }
  }

  /// The text of all pieces.
  mutating func finish() -> [UInt8] {
    flushBytes()
    return text
  }

  private mutating func appendText(_ piece: ArraySlice<UInt8>) {
    var rest = piece
    let specification = model.normalizer
    if isAtBeginning, specification.addsDummyPrefix || specification.removesExtraSpaces,
      rest.starts(with: UTF8Bytes.spaceMark)
    {
      rest = rest.dropFirst(UTF8Bytes.spaceMark.count)
      // Otherwise more spaces may follow that go as well.
      droppedSpace = !specification.removesExtraSpaces
    }
    while let byte = rest.first {
      if rest.starts(with: UTF8Bytes.spaceMark) {
        text.append(0x20)
        rest = rest.dropFirst(UTF8Bytes.spaceMark.count)
      } else {
        text.append(byte)
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func flushBytes() {
    var rest = pending[...]
    while !rest.isEmpty {
      if let length = UTF8Bytes.validLength(rest) {
        text.append(contentsOf: rest.prefix(length))
        rest = rest.dropFirst(length)
      } else {
        text.append(contentsOf: UTF8Bytes.replacement)
        rest = rest.dropFirst()
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}

/// Joins the pieces of a sentencepiece model as its library does.
struct SentencePieceTokenDecoder: TokenDecoder {
  let tokenizer: SentencePieceTokenizer

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] { [tokenizer.decode(pieces: pieces)] }
}

/// Joins pieces as `SiglipTokenizer` of `transformers` does: special tokens stay visible, each run of others
/// before one is decoded by itself.
struct SiglipDecoder: TokenDecoder {
  let tokenizer: SentencePieceTokenizer
  let specialTokens: Set<[UInt8]>

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    var text: [UInt8] = []
    var pending: [[UInt8]] = []
    var followsSpecial = false
    for piece in pieces {
      guard specialTokens.contains(piece) else {
        pending.append(piece)
        followsSpecial = false
        continue
      }
      if !followsSpecial { text.append(0x20) }
      text += tokenizer.decode(pieces: pending) + piece
      pending.removeAll()
      followsSpecial = true
    }
    return [PythonText.stripped(text + tokenizer.decode(pieces: pending))]
  }
}
