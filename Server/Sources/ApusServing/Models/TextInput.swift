import Apus

/// A text as clients send it.
public enum TextInput: Sendable, Hashable {
  /// What people write; the model's tokenizer makes tokens of it.
  case text(String)
  /// Two texts that the model reads together.
  case pair(TextPair)
  /// Tokens that the client made, special ones included.
  case tokens([Int32])

  /// The bytes that are read for its tokens.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .pair(let pair): pair.first.utf8.count + pair.second.utf8.count
    case .tokens(let ids): ids.count * MemoryLayout<Int32>.size
    }
  }
}
