import TensorCore

/// DeBERTa's class of tokenizers, as transformers 5 has it: composed characters, and words by their marks alone.
extension TokenizerSettings {
  /// What the class takes for white space that is one space.
  private static let spaces = #"\s{2,}|[\n\r\t]"#

  /// What is done with a text before it is cut.
  func deBERTaSteps() throws(ApusError) -> [any TextNormalizer] {
    var steps: [any TextNormalizer] = []
    if try bool("do_lower_case", default: false) { steps.append(LowercaseNormalizer()) }
    steps.append(
      PatternReplacer(pattern: try TextPattern(expression: Self.spaces), replacement: [UInt8(ascii: " ")]))
    steps.append(UnicodeNormalizer(form: .nfc))
    steps.append(SpaceStripper(atStart: false, atEnd: true))
    return steps
  }

  /// How a text is cut into words.
  func deBERTaWords() throws(ApusError) -> [any PreTokenizer] {
    let prepending: Metaspace.Prepending = try bool("add_prefix_space", default: true) ? .always : .first
    let marks = Metaspace(mark: UTF8Bytes.spaceMark, prepending: prepending, splits: true)
    guard try bool("split_by_punct", default: false) else { return [marks] }
    return [PropertySplitter(property: .punctuation, behavior: .isolated), marks]
  }
}
