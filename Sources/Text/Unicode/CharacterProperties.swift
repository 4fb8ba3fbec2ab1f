import TensorCore

/// What the `tokenizers` library takes a character for.
struct CharacterProperties: OptionSet, Sendable {
  let rawValue: UInt16

  /// Dropped by BERT's text cleaning.
  static let control = Self(rawValue: 1 << 0)
  static let punctuation = Self(rawValue: 1 << 1)
  /// Dropped by BERT with the accents.
  static let nonspacingMark = Self(rawValue: 1 << 2)
  /// Dropped by the accent stripper.
  static let combiningMark = Self(rawValue: 1 << 3)
  static let numeric = Self(rawValue: 1 << 4)
  /// A character of a word, for added tokens and the whitespace splitter.
  static let word = Self(rawValue: 1 << 5)
  /// `\w` in a class of the expressions of a tokenizer file.
  static let patternWord = Self(rawValue: 1 << 6)
  static let whitespace = Self(rawValue: 1 << 7)
  /// What `\w` has besides where it stands alone.
  static let furtherPatternWord = Self(rawValue: 1 << 8)

  /// The general category.
  var category: GeneralCategory { GeneralCategory(rawValue: UInt8(rawValue >> 9)) ?? .unassigned }

  /// Those of a code point.
  @inline(__always)
  init(_ codePoint: UInt32) { rawValue = Self.table[codePoint] }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Those of the characters below 128.
  static let ascii: [CharacterProperties] = (0..<128).map { CharacterProperties($0) }

  private static let table: SparseTable = {
    var table = SparseTable()
    let sets: [(StaticString, Self)] = [
      (UnicodeSets.controls, .control), (UnicodeSets.punctuation, .punctuation),
      (UnicodeSets.nonspacingMarks, .nonspacingMark), (UnicodeSets.combiningMarks, .combiningMark),
      (UnicodeSets.numerics, .numeric), (UnicodeSets.words, [.word, .patternWord]),
      (UnicodeSets.furtherWords, .word), (UnicodeSets.furtherPatternWords, .furtherPatternWord),
      ("9-D 20 85 A0 1680 2000-200A 2028-2029 202F 205F 3000", .whitespace),
    ]
    for (text, property) in sets {
      var reader = UnicodeTableReader(text)
      while !reader.isAtEnd {
        table.insert(property.rawValue, for: reader.range())
        reader.skipSpace()
      }
    }
    var reader = UnicodeTableReader(UnicodeCategories.runs)
    while !reader.isAtEnd {
      let range = reader.range()
      _ = reader.take(":")
      let category = GeneralCategory.named[ExactText(reader.word())] ?? .unassigned
      table.insert(UInt16(category.rawValue) << 9, for: range)
    }
    return table
  }()
}

/// The general categories of Unicode, with their two-letter names.
enum GeneralCategory: UInt8, CaseIterable, Sendable {
  case unassigned = 0
  case Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, No, Pc, Pd, Ps, Pe, Pi, Pf, Po, Sm, Sc, Sk, So, Zs, Zl, Zp
  case Cc, Cf, Co

  /// The categories by their names in expressions.
  static let named: [ExactText: GeneralCategory] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0 == .unassigned ? "Cn" : "\($0)", $0) })

  var isLetter: Bool { rawValue >= Self.Lu.rawValue && rawValue <= Self.Lo.rawValue }
  var isNumber: Bool { rawValue >= Self.Nd.rawValue && rawValue <= Self.No.rawValue }
}
