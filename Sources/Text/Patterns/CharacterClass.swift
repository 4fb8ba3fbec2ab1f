/// A set of characters, as expressions name them.
struct CharacterClass: Sendable, Equatable {
  private var ranges: [ClosedRange<UInt32>] = []
  /// A bit for each general category.
  private var categories: UInt32 = 0
  private var properties: CharacterProperties = []
  private var parts: [CharacterClass] = []
  private(set) var isNegated = false
  /// A bit for each character below 128 that belongs to the class.
  private var ascii: (UInt64, UInt64) = (0, 0)

  init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = ranges
    tabulate()
  }

  init(categories: [GeneralCategory]) {
    for category in categories { self.categories |= 1 << UInt32(category.rawValue) }
    tabulate()
  }

  init(properties: CharacterProperties) {
    self.properties = properties
    tabulate()
  }

  /// All characters of any of the classes.
  init(union parts: [CharacterClass]) {
    self.parts = parts
    tabulate()
  }

  /// All other characters.
  var negated: CharacterClass {
    var copy = self
    copy.isNegated.toggle()
    copy.tabulate()
    return copy
  }

  /// `.`, which is every character but the line feed.
  static let anyButNewline = CharacterClass([0x0A...0x0A]).negated

  static let asciiSpace = CharacterClass([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  static let asciiDigits = CharacterClass([0x30...0x39])
  static let asciiWord = CharacterClass([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

  @inline(__always)
  func contains(_ character: UInt32) -> Bool {
    if character < 64 { return ascii.0 >> UInt64(character) & 1 > 0 }
    if character < 128 { return ascii.1 >> UInt64(character - 64) & 1 > 0 }
    return decides(character)
  }

  private func decides(_ character: UInt32) -> Bool {
    let own = CharacterProperties(character)
    let isInside =
      ranges.contains { $0.contains(character) } || categories >> UInt32(own.category.rawValue) & 1 > 0
      || !properties.isDisjoint(with: own) || parts.contains { $0.contains(character) }
    return isInside != isNegated
  }

  private mutating func tabulate() {
    ascii = (0, 0)
    for character in UInt32(0)..<64 {
      if decides(character) { ascii.0 |= 1 << UInt64(character) }
      if decides(character + 64) { ascii.1 |= 1 << UInt64(character) }
    }
  }

  static func == (left: CharacterClass, right: CharacterClass) -> Bool {
    left.ranges == right.ranges && left.categories == right.categories && left.properties == right.properties
      && left.parts == right.parts && left.isNegated == right.isNegated
  }
}
