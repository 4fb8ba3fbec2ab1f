/// A text as clients send it.
public enum TextInput: Sendable, Hashable {
  /// What people write; the model's tokenizer makes tokens of it.
  case text(String)
  /// Tokens that the client made, special ones included.
  case tokens([Int32])

  /// The bytes that are read for its tokens.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .tokens(let ids): ids.count * MemoryLayout<Int32>.size
    }
  }
}
