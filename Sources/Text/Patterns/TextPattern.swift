import Formats
import TensorCore

/// What a step looks for in text: the text itself, or a regular expression.
enum TextPattern: Sendable {
  case literal([UInt8])
  /// Runs of characters of one class, of so many characters at least and at most.
  case run(CharacterClass, minimum: Int, maximum: Int?)
  /// The expression by which CLIP cuts text.
  case clip
  /// The same in newer files, which has names of special tokens too.
  case clipWithNames
  /// The expression by which GPT-2 cuts text.
  case gpt2
  case expression(ExpressionProgram)

  /// The pattern under a key of a tokenizer file: `{"String": …}` or `{"Regex": …}`.
  init(_ reader: ConfigurationReader, _ key: String) throws(ApusError) {
    guard let pattern = try reader.optionalObject(key) else {
      throw reader.unexpected(key, nil, "an object with a text or an expression")
    }
    do throws(ApusError) {
      if let text = try pattern.optionalString("String") {
        guard !text.isEmpty else {
          throw pattern.unexpected("String", .string(ExactText(text)), "a text that is not empty")
        }
        self = .literal(Array(text.utf8))
      } else {
        try self.init(expression: try pattern.string("Regex"))
      }
    } catch {
      throw (error.file == nil ? error.at(reader.place(key)) : error).inFile(reader.file)
    }
  }

  /// - Throws: ``ApusError`` when the expression has parts that are not supported.
  init(expression source: String) throws(ApusError) {
    switch source {
    case Self.clipExpression, Self.clipExpressionWithClasses: self = .clip
    case Self.clipExpressionWithNames: self = .clipWithNames
    case Self.gpt2Expression: self = .gpt2
    default: try self.init(ExpressionParser.parse(source))
    }
  }

  /// - Throws: ``ApusError`` when the expression has parts that are not supported.
  init(_ expression: Expression) throws(ApusError) {
    switch expression {
    case .character(let set): self = .run(set, minimum: 1, maximum: 1)
    case .repeated(.character(let set), let minimum, let maximum, isLazy: false) where minimum > 0:
      self = .run(set, minimum: minimum, maximum: maximum)
    default: self = .expression(try ExpressionProgram(expression))
    }
  }

  static let clipExpression = #"'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"#
  private static let clipExpressionWithClasses = #"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"#
  private static let clipExpressionWithNames =
    #"<\|startoftext\|>|<\|endoftext\|>|"# + clipExpressionWithClasses
  /// That of Qwen's tokenizers, as their class has it.
  static let qwen2Expression =
    #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
  static let gpt2Expression =
    #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#

  /// Calls `body` with each match in `range` of the text, from the left and without overlap.
  func forEachMatch(in text: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    switch self {
    case .literal(let wanted): Self.forEachPlace(of: wanted, in: text, range, body)
    case .run(let set, let minimum, let maximum):
      Self.forEachRun(of: set, minimum, maximum ?? .max, in: text, range, body)
    case .clip: WordPattern.clip.forEachMatch(in: text, range, body)
    case .clipWithNames: WordPattern.clipWithNames.forEachMatch(in: text, range, body)
    case .gpt2: WordPattern.gpt2.forEachMatch(in: text, range, body)
    case .expression(let program): program.forEachMatch(in: text, range, body)
    }
  }

  private static func forEachPlace(
    of wanted: [UInt8], in text: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void
  ) {
    guard let first = wanted.first else { return }
    var position = range.lowerBound
    while position + wanted.count <= range.upperBound {
      if text[position] == first, text.hasPrefix(wanted, at: position) {
        body(position..<(position + wanted.count))
        position += wanted.count
      } else {
        position += 1
      }
    }
  }

  private static func forEachRun(
    of set: CharacterClass, _ minimum: Int, _ maximum: Int, in text: Span<UInt8>, _ range: Range<Int>,
    _ body: (Range<Int>) -> Void
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      let start = position
      var count = 0
      while position < range.upperBound, count < maximum {
        let (character, length) = text.scalar(at: position)
        guard set.contains(character) else { break }
        position += length
        count += 1
      }
      if count >= minimum { body(start..<position) }
      if count == 0 { position += text.scalar(at: position).length }
    }
  }
}
