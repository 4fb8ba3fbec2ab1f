/// A character of normalised text, and how it comes about, as the `tokenizers` library keeps account of it.
struct CharacterChange: ComposableCharacter {
  private(set) var value: UInt32
  /// 1 for a character that is put in, 0 for one that stands for another, -n for one that stands for another and the n
  /// behind it.
  var count: Int

  init(_ value: UInt32, count: Int = 0) { (self.value, self.count) = (value, count) }

  init(_ value: UInt32, isFirst: Bool) { self.init(value, count: isFirst ? 0 : 1) }

  mutating func join(_ other: CharacterChange, as whole: UInt32) {
    value = whole
    count += other.count - 1
  }
}

extension AlignedText {
  /// The text of changes that are counted from its start.
  /// - Returns: nil where they stand for more characters than there are.
  func changed(by changes: [CharacterChange]) -> AlignedText? {
    var changed = AlignedText(
      NormalizedText(bytes: [], startsAtOrigin: text.startsAtOrigin), origins: [])
    let source = text.bytes.span
    var position = 0
    for change in changes {
      var origin = position > 0 ? origins[position - 1] : 0..<0
      if change.count <= 0 {
        guard position < source.count else { return nil }
        origin = origins[position]
        for _ in 0...(-change.count) where position < source.count {
          position += source.scalar(at: position).length
        }
      }
      let start = changed.text.bytes.count
      changed.text.bytes.append(scalar: change.value)
      changed.origins += repeatElement(origin, count: changed.text.bytes.count - start)
    }
    return changed
  }
}
