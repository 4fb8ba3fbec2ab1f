import TensorCore

/// Reads the regular expressions of tokenizer files, which are those of Oniguruma; of these, the ones whose
/// matches can be found in time that grows with the text alone. Everything else is refused by name.
struct ExpressionParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private let source: String
  private let dialect: Dialect

  /// Whose expressions they are.
  enum Dialect: Sendable {
    /// Letters, digits and space of all scripts.
    case oniguruma
    /// The same names for those of ASCII only.
    case re2
  }

  /// Groups inside one another at most.
  private static let maximumDepth = 32

  private init(_ source: String, _ dialect: Dialect) {
    self.source = source
    self.dialect = dialect
    scalars = Array(source.unicodeScalars)
  }

  /// - Throws: ``ApusError`` that names what is not supported.
  static func parse(_ source: String, _ dialect: Dialect = .oniguruma) throws(ApusError) -> Expression {
    var parser = ExpressionParser(source, dialect)
    let expression = try parser.alternatives(ignoringCase: false, depth: 0)
    guard parser.peek == nil else { throw parser.unsupported("')' without '('") }
    return expression
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private mutating func next() throws(ApusError) -> Unicode.Scalar {
    guard let scalar = peek else { throw unsupported("an end in the middle") }
    position += 1
    return scalar
  }

  private func unsupported(_ what: String) -> ApusError {
    ApusError(
      .unsupportedModel, "the expression '\(source.clipped)' has \(what), which Apus does not know",
      at: "character \(position)")
  }

  private mutating func alternatives(ignoringCase: Bool, depth: Int) throws(ApusError) -> Expression {
    guard depth <= Self.maximumDepth else { throw unsupported("groups more than \(Self.maximumDepth) deep") }
    var parts = [try sequence(ignoringCase: ignoringCase, depth: depth)]
    while take("|") { parts.append(try sequence(ignoringCase: ignoringCase, depth: depth)) }
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence(ignoringCase: Bool, depth: Int) throws(ApusError) -> Expression {
    var parts: [Expression] = []
    while let scalar = peek, scalar != "|", scalar != ")" {
      let part = try term(ignoringCase: ignoringCase, depth: depth)
      parts.append(try quantified(part))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func term(ignoringCase: Bool, depth: Int) throws(ApusError) -> Expression {
    let scalar = try next()
    switch scalar {
    case "(": return try group(ignoringCase: ignoringCase, depth: depth)
    case "[":
      guard !ignoringCase else { throw unsupported("a class of characters whose case is ignored") }
      return .character(try characterClass())
    case ".": return .character(.anyButNewline)
    case "\\":
      if let set = try escapedClass(isAlone: true) { return .character(set) }
      return .character(try literal(try escapedScalar(), ignoringCase: ignoringCase))
    case "^", "$": throw unsupported("the anchor '\(scalar)'")
    case "*", "+", "?": throw unsupported("'\(scalar)' after nothing")
    default: return .character(try literal(scalar, ignoringCase: ignoringCase))
    }
  }

  private mutating func group(ignoringCase: Bool, depth: Int) throws(ApusError) -> Expression {
    let expression: Expression
    if take("?:") {
      expression = try alternatives(ignoringCase: ignoringCase, depth: depth + 1)
    } else if take("?i:") {
      expression = try alternatives(ignoringCase: true, depth: depth + 1)
    } else if take("?=") || take("?!") {
      let isNegative = scalars[position - 1] == "!"
      guard case .character(let set) = try alternatives(ignoringCase: false, depth: depth + 1) else {
        throw unsupported("a look ahead at more than one character")
      }
      expression = .lookahead(set, isNegative: isNegative)
    } else if peek == "?" {
      throw unsupported("a group of an unknown kind")
    } else {
      expression = try alternatives(ignoringCase: ignoringCase, depth: depth + 1)
    }
    guard take(")") else { throw unsupported("'(' without ')'") }
    return expression
  }

  private func literal(_ scalar: Unicode.Scalar, ignoringCase: Bool) throws(ApusError) -> CharacterClass {
    let value = scalar.value
    guard ignoringCase else { return CharacterClass([value...value]) }
    guard scalar.isASCII else { throw unsupported("a character beyond ASCII whose case is ignored") }
    guard let letter = UInt8(exactly: value | 0x20), UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter else {
      return CharacterClass([value...value])
    }
    let (lower, upper) = (UInt32(letter), UInt32(letter) - 0x20)
    var cases = [lower...lower, upper...upper]
    // The Kelvin sign and the long s are cases of k and s.
    if letter == UInt8(ascii: "k") { cases.append(0x212A...0x212A) }
    if letter == UInt8(ascii: "s") { cases.append(0x17F...0x17F) }
    return CharacterClass(cases)
  }
}

extension ExpressionParser {
  private mutating func quantified(_ part: Expression) throws(ApusError) -> Expression {
    let (minimum, maximum): (Int, Int?)
    if take("*") {
      (minimum, maximum) = (0, nil)
    } else if take("+") {
      (minimum, maximum) = (1, nil)
    } else if take("?") {
      (minimum, maximum) = (0, 1)
    } else if peek == "{" {
      (minimum, maximum) = try bounds()
    } else {
      return part
    }
    let isLazy = take("?")
    if let scalar = peek, "*+?{".unicodeScalars.contains(scalar) {
      throw unsupported("two quantifiers, or a possessive one")
    }
    guard !part.canBeEmpty else { throw unsupported("a repetition of what can be empty") }
    return .repeated(part, minimum: minimum, maximum: maximum, isLazy: isLazy)
  }

  private mutating func bounds() throws(ApusError) -> (Int, Int?) {
    position += 1
    guard let minimum = number() else { throw unsupported("'{' without a number") }
    guard take(",") else { return try closed((minimum, minimum)) }
    if peek == "}" { return try closed((minimum, nil)) }
    guard let maximum = number(), maximum >= minimum, maximum > 0 else {
      throw unsupported("bounds out of order")
    }
    return try closed((minimum, maximum))
  }

  private mutating func closed(_ bounds: (Int, Int?)) throws(ApusError) -> (Int, Int?) {
    guard take("}") else { throw unsupported("'{' without '}'") }
    return bounds
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let scalar = peek, scalar.isASCII, scalar.properties.numericType != nil, digits.count < 4 {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    return Int(digits)
  }

  private mutating func characterClass() throws(ApusError) -> CharacterClass {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var parts: [CharacterClass] = []
    var isFirst = true
    while isFirst || peek != "]" {
      isFirst = false
      if peek == "[" { throw unsupported("a class inside a class") }
      if peek == "]" { throw unsupported("an empty class") }
      if take("&&") { throw unsupported("an intersection of classes") }
      if take("\\") {
        if let part = try escapedClass(isAlone: false) {
          parts.append(part)
          continue
        }
        position -= 1
      }
      ranges.append(try classRange())
    }
    position += 1
    let whole = CharacterClass(union: parts + [CharacterClass(ranges)])
    return isNegated ? whole.negated : whole
  }

  private mutating func classRange() throws(ApusError) -> ClosedRange<UInt32> {
    let first = try classScalar().value
    guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
      return first...first
    }
    position += 1
    let last = try classScalar().value
    guard first <= last else { throw unsupported("a range in reverse") }
    return first...last
  }

  private mutating func classScalar() throws(ApusError) -> Unicode.Scalar {
    let scalar = try next()
    return scalar == "\\" ? try escapedScalar() : scalar
  }

  /// The class of an escape such as `\s` or `\p{L}`; nil for one that stands for a character.
  /// - Parameter isAlone: whether it stands outside of brackets, where `\w` has more characters.
  private mutating func escapedClass(isAlone: Bool) throws(ApusError) -> CharacterClass? {
    guard let scalar = peek else { throw unsupported("'\\' at its end") }
    let set: CharacterClass
    switch scalar {
    case "s", "S": set = dialect == .re2 ? .asciiSpace : CharacterClass(properties: .whitespace)
    case "w", "W":
      let properties: CharacterProperties = isAlone ? [.patternWord, .furtherPatternWord] : .patternWord
      set = dialect == .re2 ? .asciiWord : CharacterClass(properties: properties)
    case "d", "D": set = dialect == .re2 ? .asciiDigits : CharacterClass(categories: [.Nd])
    case "p", "P":
      position += 1
      let categories = try namedCategories()
      return scalar == "P"
        ? CharacterClass(categories: categories).negated : CharacterClass(categories: categories)
    default: return nil
    }
    position += 1
    return "SWD".unicodeScalars.contains(scalar) ? set.negated : set
  }

  private mutating func namedCategories() throws(ApusError) -> [GeneralCategory] {
    guard take("{") else { throw unsupported("'\\p' without '{'") }
    var name = ""
    while let scalar = peek, scalar != "}" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take("}") else { throw unsupported("'\\p{' without '}'") }
    let categories = GeneralCategory.named.filter {
      name.unicodeScalars.count == 1 ? $0.key.utf8.starts(with: name.utf8) : $0.key == ExactText(name)
    }
    guard !categories.isEmpty, name != "C", name != "Cn" else {
      throw unsupported("the property '\(name.clipped)'")
    }
    return Array(categories.values)
  }

  private mutating func escapedScalar() throws(ApusError) -> Unicode.Scalar {
    let scalar = try next()
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    default:
      guard scalar.isASCII, !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
        throw unsupported("the escape '\\\(scalar)'")
      }
      return scalar
    }
  }
}
