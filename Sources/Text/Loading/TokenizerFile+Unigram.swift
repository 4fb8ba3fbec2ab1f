import Formats
import TensorCore

/// The rules of the classes with unigram models, which look up their pieces in words between white space.
extension TokenizerFile {
  func applyXLMRoberta(
    _ settings: TokenizerSettings, _ rules: inout Rules
  ) throws(ApusError) {
    try requireUnigram(settings)
    let found = normalizerSteps
    guard Self.isFollowedUp(found[...]) else { throw otherSteps(found, [], Self.goingByTheFile(settings)) }
    rules.normalizer = characterMap(rules)
    try applyUnigram(settings, &rules, unknownID: 3)
  }

  func applyAlbert(_ settings: TokenizerSettings, _ rules: inout Rules) throws(ApusError) {
    try requireUnigram(settings)
    var steps = try settings.albertSteps()
    try requireAlbertSteps(
      stripsAccents: steps.contains { $0 is AccentStripper },
      lowercases: steps.contains { $0 is LowercaseNormalizer }, settings)
    if let map = characterMap(rules) { steps.append(map) }
    rules.normalizer = NormalizerSequence(steps: steps)
    try applyUnigram(settings, &rules, unknownID: 1)
  }

  /// Refuses a file whose model is another, as of the many that have BERT's vocabulary in an ALBERT.
  func requireUnigram(_ settings: TokenizerSettings) throws(ApusError) {
    guard let type = try model?.optionalString("type"), type != "Unigram" else { return }
    throw ApusError(
      .unsupportedModel, "is \(type.clipped)",
      expected: "Unigram, as \(settings.pythonClass ?? "the class") has it",
      at: "model.type", file: file,
      advice: "Name the class that wrote the file as tokenizer_class in tokenizer_config.json, "
        + "such as BertTokenizer for WordPiece.")
  }

  /// The character map of the pieces, which is all that the classes take of the file's normalizer.
  private func characterMap(_ rules: Rules) -> (any TextNormalizer)? {
    let stated = (rules.normalizer as? NormalizerSequence)?.steps ?? [rules.normalizer].compactMap(\.self)
    return stated.first { $0 is CharacterMapNormalizer }
  }

  private func requireAlbertSteps(
    stripsAccents: Bool, lowercases: Bool, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let names = Self.albertSteps(stripsAccents: stripsAccents, lowercases: lowercases)
    var found = normalizerSteps
    // As for BERT's class.
    if lowercases, found.first == "Lowercase" { found.removeFirst() }
    if found.starts(with: names), Self.isFollowedUp(found.dropFirst(names.count)) { return }
    let (strips, lowers) = (found.contains("StripAccents"), found.contains("Lowercase"))
    var keys: [String] = []
    if lowers != lowercases { keys.append("\"do_lower_case\": \(lowers)") }
    if strips != stripsAccents { keys.append("\"keep_accents\": \(!strips)") }
    let stated = Self.albertSteps(stripsAccents: strips, lowercases: lowers)
    let others = found.starts(with: stated) && Self.isFollowedUp(found.dropFirst(stated.count))
    throw otherSteps(
      found, names,
      others && !keys.isEmpty
        ? "Say \(keys.joined(separator: " and ")) in tokenizer_config.json if the file is right."
        : Self.goingByTheFile(settings))
  }

  /// What AlbertTokenizer does to a text before the character map.
  private static func albertSteps(stripsAccents: Bool, lowercases: Bool) -> [String] {
    var names = TokenizerSettings.albertQuotes.map { replacement("\"\($0)\"", "\"") }
    if stripsAccents { names += ["NFKD", "StripAccents"] }
    if lowercases { names.append("Lowercase") }
    return names
  }

  private func otherSteps(_ found: [String], _ steps: [String], _ advice: String) -> ApusError {
    ApusError(
      .unsupportedModel, "is \(found.isEmpty ? "none" : found.joined(separator: ", ").clipped)",
      expected: (steps + ["the character map of the pieces, if they have one"]).joined(separator: ", "),
      at: "normalizer", file: file, advice: advice)
  }

  /// What version 4 wrote behind the character map, where the classes, which cut at white space, have nothing: until 4.37 one
  /// space for runs of them, then a mark, and no white space at the end.
  private static let tails = [
    [], [replacement("/ {2,}/", " ")], [replacement("/ {2,}/", "\u{2581}")],
    [stripAtEnd, replacement("/ {2,}/", "\u{2581}")],
  ]
  static let stripAtEnd = "Strip at the end"

  /// Whether the steps behind a class's own are its character map, if any, and what makes no difference.
  private static func isFollowedUp(_ steps: ArraySlice<String>) -> Bool {
    tails.contains(Array(steps.first == "Precompiled" ? steps.dropFirst() : steps))
  }

  /// What the steps of the file's normalizer do: their types, and of replacements what is replaced, a text or an expression.
  var normalizerSteps: [String] {
    guard let stated = root.stated("normalizer") else { return [] }
    var steps = [stated]
    if case .array(let parts)? = stated["normalizers"] { steps = parts }
    return steps.map { step in
      let type = step["type"]?.string ?? ""
      if type == "Strip", step["strip_left"] == .bool(false), step["strip_right"] == .bool(true) {
        return Self.stripAtEnd
      }
      guard type == "Replace" else { return type }
      let pattern = step["pattern"]
      let found = pattern?["String"]?.string.map { "\"\($0)\"" } ?? "/\(pattern?["Regex"]?.string ?? "")/"
      return Self.replacement(found, step["content"]?.string ?? "")
    }
  }

  static func replacement(_ found: String, _ content: String) -> String {
    "Replace \(found) by \"\(content)\""
  }

  /// The words of a unigram model, as classes cut them. A file of version 4 may have no cut at white space before the marks.
  private func applyUnigram(
    _ settings: TokenizerSettings, _ rules: inout Rules, unknownID: Int
  ) throws(ApusError) {
    try requireTypes(
      "pre_tokenizer", "pretokenizers", [["WhitespaceSplit", "Metaspace"], ["Metaspace"]], settings)
    try model?.require("unk_id", isOneOf: .number("\(unknownID)"))
    try model?.require("byte_fallback", isOneOf: .bool(false))
    let marks = Metaspace(mark: UTF8Bytes.spaceMark, prepending: try settings.prepending(), splits: true)
    if let stated = rules.preTokenizers.last as? Metaspace { try require(stated, marks, settings) }
    rules.preTokenizers = [PropertySplitter(property: .whitespace, behavior: .removed), marks]
    rules.decoder = MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: marks.prepending == .never)
  }

  /// Refuses marks that stand elsewhere than those of the class.
  func require(
    _ stated: Metaspace, _ marks: Metaspace, _ settings: TokenizerSettings
  ) throws(ApusError) {
    guard stated.mark == marks.mark, stated.splits == marks.splits else {
      throw ApusError(
        .unsupportedModel, "is Metaspace with another replacement or split",
        expected: "the replacement \"\u{2581}\" and split true", at: "pre_tokenizer", file: file,
        advice: Self.goingByTheFile(settings))
    }
    guard stated.prepending != marks.prepending else { return }
    let prepends = marks.prepending == .always
    throw ApusError(
      .unsupportedModel, "is Metaspace with prepend_scheme \(stated.prepending.rawValue)",
      expected:
        "\(marks.prepending.rawValue), as add_prefix_space of \(settings.pythonClass ?? "the class") is "
        + "\(prepends)", at: "pre_tokenizer", file: file,
      advice: stated.prepending == .first
        ? Self.goingByTheFile(settings)
        : "Say \"add_prefix_space\": \(!prepends) in tokenizer_config.json if the file is right.")
  }
}
