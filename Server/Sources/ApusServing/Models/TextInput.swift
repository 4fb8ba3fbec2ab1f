/// A text as clients send it.
public enum TextInput: Sendable, Hashable {
  /// What people write; the model's tokenizer makes tokens of it.
  case text(String)
  /// Tokens that the client made, special ones included.
  case tokens([Int32])
}
