import Formats
import TensorCore

/// How a query and a document become one text, by the chat template that a model's files have: messages of the roles
/// `query` and `document`, and `system` for what is asked of the document.
///
/// Of Jinja it knows what templates of re-rankers have: texts, names set to the first message of a role, those names and
/// quoted texts in double braces, and parts for `add_generation_prompt`. What else a template has is refused.
package struct PairTemplate: Sendable, Equatable {
  /// Which message a place is filled with.
  enum Role: String, Sendable {
    case system, query, document
  }

  enum Part: Sendable, Equatable {
    case text([UInt8])
    /// - Parameter usual: what stands there without such a message.
    case message(Role, usual: [UInt8])
  }

  let parts: [Part]

  /// The text of a pair.
  /// - Parameter instruction: what is asked of the document; nil for what the template has where nothing is asked.
  package func text(instruction: String?, query: String, document: String) -> String {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text): bytes += text
      case .message(.system, let usual): bytes += instruction.map { Array($0.utf8) } ?? usual
      case .message(.query, _): bytes += query.utf8
      case .message(.document, _): bytes += document.utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameters:
  ///   - source: the template.
  ///   - generates: the value of `add_generation_prompt`.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what it does not know, or where query or document have no place.
  init(_ source: String, generates: Bool) throws(ApusError) {
    var reader = TemplateReader(source, generates: generates)
    parts = try reader.parts()
    for role in [Role.query, .document] {
      guard parts.contains(where: { if case .message(role, _) = $0 { true } else { false } }) else {
        throw ApusError(
          .unsupportedModel, "has no place for the message of role \(role.rawValue)",
          expected: "one: pairs are read as messages of the roles query and document", at: "chat_template")
      }
    }
  }

  /// The template of a folder: `chat_template.jinja`, else that of `tokenizer_config.json`.
  init(_ folder: ModelFolder, generates: Bool) throws(ApusError) {
    let (name, settings) = ("chat_template.jinja", "tokenizer_config.json")
    let source: String
    let file: String
    if let path = folder.file(name) {
      source = String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
      file = path
    } else {
      guard
        let text = try folder.file(settings).flatMap({ (path) throws(ApusError) in
          try ConfigurationReader(contentsOf: path).optionalString("chat_template")
        })
      else {
        throw ApusError(
          .configuration, "has no chat template", expected: "\(name), or chat_template in \(settings)",
          file: folder.path)
      }
      (source, file) = (text, "\(folder.path)/\(settings)")
    }
    do throws(ApusError) { try self.init(source, generates: generates) } catch { throw error.inFile(file) }
  }
}

/// Reads a template from its start.
private struct TemplateReader {
  private let bytes: [UInt8]
  private let generates: Bool
  private var position = 0
  private var names: [ExactText: PairTemplate.Part] = [:]
  private var found: [PairTemplate.Part] = []
  /// Whether the parts that are read now count, and those around them.
  private var counts = [true]
  /// Whether space before the next text is left out.
  private var skipsSpace = false

  init(_ source: String, generates: Bool) {
    var bytes = Array(source.utf8)
    // Jinja leaves out one line's end at the end of a template.
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    (self.bytes, self.generates) = (bytes, generates)
  }

  mutating func parts() throws(ApusError) -> [PairTemplate.Part] {
    while position < bytes.count {
      guard let tag = nextTag() else { break }
      try read(tag)
    }
    guard counts.count == 1 else { throw refusal("a part without endif") }
    return found
  }

  private struct Tag {
    /// The byte behind the brace: `%`, `{` or `#`.
    let kind: UInt8
    let content: [UInt8]
  }

  /// Adds the text before the next tag, and reads that; nil where there is none.
  private mutating func nextTag() -> Tag? {
    var start = position
    var end = bytes.count
    while start + 1 < bytes.count {
      if bytes[start] == UInt8(ascii: "{"), Self.kinds.contains(bytes[start + 1]) { break }
      start += 1
    }
    guard start + 1 < bytes.count else {
      add(text: bytes[position...], isBeforeBlock: false, trimsEnd: false)
      position = bytes.count
      return nil
    }
    let kind = bytes[start + 1]
    let closing = kind == UInt8(ascii: "{") ? UInt8(ascii: "}") : kind
    var inside = start + 2
    let trimsBefore = inside < bytes.count && bytes[inside] == UInt8(ascii: "-")
    if trimsBefore { inside += 1 }
    end = inside
    var quote: UInt8?
    while end + 1 < bytes.count {
      if let mark = quote {
        if bytes[end] == UInt8(ascii: "\\") { end += 1 } else if bytes[end] == mark { quote = nil }
      } else if kind != UInt8(ascii: "#"), bytes[end] == UInt8(ascii: "'") || bytes[end] == UInt8(ascii: "\"")
      {
        quote = bytes[end]
      } else if bytes[end] == closing, bytes[end + 1] == UInt8(ascii: "}") {
        break
      }
      end += 1
    }
    add(text: bytes[position..<start], isBeforeBlock: kind != UInt8(ascii: "{"), trimsEnd: trimsBefore)
    guard end + 1 < bytes.count else {
      position = bytes.count
      return Tag(kind: 0, content: [])
    }
    let trimsAfter = end > inside && bytes[end - 1] == UInt8(ascii: "-")
    let content = Array(bytes[inside..<(trimsAfter ? end - 1 : end)])
    position = end + 2
    skipsSpace = trimsAfter
    // transformers has Jinja leave out the end of a line behind a block.
    if !trimsAfter, kind != UInt8(ascii: "{"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
      position += 1
    }
    return Tag(kind: kind, content: content)
  }

  private static let kinds: [UInt8] = [UInt8(ascii: "%"), UInt8(ascii: "{"), UInt8(ascii: "#")]

  private mutating func add(text: ArraySlice<UInt8>, isBeforeBlock: Bool, trimsEnd: Bool) {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var text = text
    if skipsSpace { text = text.drop(while: isSpace) }
    skipsSpace = false
    if trimsEnd {
      while let last = text.last, isSpace(last) { text.removeLast() }
    } else if isBeforeBlock {
      // Nor does it keep spaces that stand before a block alone in its line.
      let rest = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
      if rest.map({ text[$0] == UInt8(ascii: "\n") }) ?? (text.startIndex == 0) {
        text = text[..<(rest.map { $0 + 1 } ?? text.startIndex)]
      }
    }
    add(.text(Array(text)))
  }

  private mutating func add(_ part: PairTemplate.Part) {
    guard counts.allSatisfy(\.self) else { return }
    if case .text(let more) = part {
      guard !more.isEmpty else { return }
      if case .text(let text)? = found.last {
        found[found.count - 1] = .text(text + more)
        return
      }
    }
    found.append(part)
  }

  private mutating func read(_ tag: Tag) throws(ApusError) {
    switch tag.kind {
    case UInt8(ascii: "#"): return
    case UInt8(ascii: "{"):
      var words = ExpressionReader(tag.content)
      for part in try words.parts(names) { add(part) }
    case UInt8(ascii: "%"): try readBlock(tag.content)
    default: throw refusal("a tag without end")
    }
  }

  private mutating func readBlock(_ content: [UInt8]) throws(ApusError) {
    var words = ExpressionReader(content)
    let first = words.word()
    switch first {
    case "set":
      let name = words.word()
      guard let name, words.take("=") else { throw refusal("set without a name") }
      let parts = try words.parts(names)
      guard parts.count == 1 else { throw refusal("a name for several parts") }
      names[name] = parts[0]
    case "if":
      guard words.word() == "add_generation_prompt", words.isAtEnd else {
        throw refusal("if with another condition than add_generation_prompt")
      }
      counts.append(generates)
    case "endif":
      guard counts.count > 1, words.isAtEnd else { throw refusal("endif without if") }
      counts.removeLast()
    default: throw refusal("'\((first?.text ?? "").clipped)' in a block")
    }
  }

  private func refusal(_ what: String) -> ApusError { ExpressionReader.refusal(what) }
}

/// Reads what stands in a tag.
private struct ExpressionReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func refusal(_ what: String) -> ApusError {
    ApusError(
      .unsupportedModel, what,
      expected: "texts, and the first message of the role system, query or document", at: "chat_template")
  }

  var isAtEnd: Bool { bytes[position...].allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
      position += 1
    }
  }

  /// The next name; nil where there is none.
  mutating func word() -> ExactText? {
    skipSpace()
    let start = position
    while position < bytes.count,
      bytes[position] == UInt8(ascii: "_") || Character(UnicodeScalar(bytes[position])).isASCIILetterOrDigit
    {
      position += 1
    }
    return position > start ? ExactText(String(decoding: bytes[start..<position], as: UTF8.self)) : nil
  }

  /// Whether the next mark is that one, which is then passed.
  mutating func take(_ mark: Character) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == mark.asciiValue else { return false }
    position += 1
    return true
  }

  /// A quoted text; nil where there is none.
  private mutating func quoted() throws(ApusError) -> [UInt8]? {
    skipSpace()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "'") || bytes[position] == UInt8(ascii: "\"")
    else { return nil }
    let mark = bytes[position]
    var text: [UInt8] = []
    position += 1
    while position < bytes.count, bytes[position] != mark {
      var byte = bytes[position]
      if byte == UInt8(ascii: "\\"), position + 1 < bytes.count {
        position += 1
        switch bytes[position] {
        case UInt8(ascii: "n"): byte = UInt8(ascii: "\n")
        case UInt8(ascii: "t"): byte = UInt8(ascii: "\t")
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): byte = bytes[position]
        default: throw Self.refusal("an escape in a quoted text")
        }
      }
      text.append(byte)
      position += 1
    }
    guard position < bytes.count else { throw Self.refusal("a quoted text without end") }
    position += 1
    return text
  }

  /// What it stands for: parts with + between them, up to the end of the tag.
  mutating func parts(
    _ names: [ExactText: PairTemplate.Part]
  ) throws(ApusError) -> [PairTemplate.Part] {
    var parts: [PairTemplate.Part] = []
    repeat {
      if let text = try quoted() {
        parts.append(.text(text))
      } else if let name = word() {
        if name == "messages" {
          parts.append(try message())
        } else {
          guard let part = names[name] else { throw Self.refusal("the name '\(name.text.clipped)'") }
          parts.append(part)
        }
      } else {
        throw Self.refusal("an expression of another form")
      }
    } while take("+")
    guard isAtEnd else { throw Self.refusal("an expression of another form") }
    return parts
  }

  /// `| selectattr("role", "eq", ROLE) | map(attribute="content") | first`, and it may be `| default(TEXT)`, in Jinja's
  /// words.
  private mutating func message() throws(ApusError) -> PairTemplate.Part {
    func refused() -> ApusError { Self.refusal("messages that are chosen in another way") }
    guard take("|"), word() == "selectattr", take("("), try quoted() == Array("role".utf8), take(",")
    else { throw refused() }
    let test = try quoted()
    guard test == Array("eq".utf8) || test == Array("equalto".utf8) || test == Array("==".utf8), take(","),
      let name = try quoted(), take(")"),
      let role = PairTemplate.Role(rawValue: String(decoding: name, as: UTF8.self)),
      take("|"), word() == "map", take("("), word() == "attribute", take("="),
      try quoted() == Array("content".utf8),
      take(")"), take("|"), word() == "first"
    else { throw refused() }
    var usual: [UInt8] = []
    if take("|") {
      guard word() == "default", take("("), let text = try quoted() else { throw refused() }
      if take(",") {
        guard let flag = word(), ["true", "True"].contains(flag) else { throw refused() }
      }
      guard take(")") else { throw refused() }
      usual = text
    }
    return .message(role, usual: usual)
  }
}

extension Character {
  fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
