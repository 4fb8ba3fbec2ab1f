/// What a tokenizer's files say beside its rules.
public struct TokenizerConfiguration: Sendable, Equatable {
  /// The length of the longest text that the model takes, special tokens included (`model_max_length`); nil when
  /// the files do not say.
  public var maximumLength: Int?
  /// The cut that `tokenizer.json` asks for; applied only when it is given to ``Tokenizer``.
  public var truncation: Truncation?
  /// The filling up that `tokenizer.json` asks for; applied only when it is given to ``Tokenizer``.
  public var padding: Padding?
  /// The id to fill up with.
  public var paddingID: Int32?
  /// The end that is filled up: the one that `tokenizer_config.json` names, else that of ``padding``, else the right one.
  public var paddingSide: TextSide {
    get { statedPaddingSide ?? padding?.side ?? .right }
    set { statedPaddingSide = newValue }
  }
  /// The end that is cut off: the one that `tokenizer_config.json` names, else that of ``truncation``, else the right one.
  public var truncationSide: TextSide {
    get { statedTruncationSide ?? truncation?.side ?? .right }
    set { statedTruncationSide = newValue }
  }
  var statedPaddingSide: TextSide?
  var statedTruncationSide: TextSide?
  /// Whether decoded text has its spaces before punctuation taken back (`clean_up_tokenization_spaces`).
  var cleansUpSpaces = false
  /// The class of the tokenizer in Python, such as `CLIPTokenizer`.
  public var tokenizerClass: String?
  /// Whether the model is told the types of tokens: what `model_input_names` says, else as the class has it. Nil where
  /// it says nothing and versions of `transformers` differ.
  public var givesTokenTypes: Bool? = true
  /// The special tokens by name, such as `pad_token`.
  public var specialTokens: [String: String] = [:]

  /// Nothing stated.
  public init() {}
}
