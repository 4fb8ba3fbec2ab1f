import Formats
import TensorCore

/// The rules of the classes with unigram models, which look up their pieces in words between white space.
extension TokenizerFile {
  func applyXLMRoberta(
    _ settings: TokenizerSettings, _ rules: inout Rules
  ) throws(ApusError) {
    let found = normalizerSteps
    guard Self.isFollowedUp(found[...]) else { throw otherSteps(found, [], Self.goingByTheFile(settings)) }
    try applyUnigram(settings, &rules, unknownID: 3)
  }

  func applyAlbert(_ settings: TokenizerSettings, _ rules: inout Rules) throws(ApusError) {
    var steps = try settings.albertSteps()
    try requireAlbertSteps(
      stripsAccents: steps.contains { $0 is AccentStripper },
      lowercases: steps.contains { $0 is LowercaseNormalizer }, settings)
    let stated = (rules.normalizer as? NormalizerSequence)?.steps ?? []
    if let map = stated.first(where: { $0 is CharacterMapNormalizer }) { steps.append(map) }
    rules.normalizer = NormalizerSequence(steps: steps)
    try applyUnigram(settings, &rules, unknownID: 1)
  }

  private func requireAlbertSteps(
    stripsAccents: Bool, lowercases: Bool, _ settings: TokenizerSettings
  ) throws(ApusError) {
    var names = TokenizerSettings.albertQuotes.map { Self.replacement("\"\($0)\"", "\"") }
    if stripsAccents { names += ["NFKD", "StripAccents"] }
    if lowercases { names.append("Lowercase") }
    var found = normalizerSteps
    // As for BERT's class.
    if lowercases, found.first == "Lowercase" { found.removeFirst() }
    if found.starts(with: names), Self.isFollowedUp(found.dropFirst(names.count)) { return }
    var keys: [String] = []
    if found.contains("Lowercase") != lowercases { keys.append("\"do_lower_case\": \(!lowercases)") }
    if found.contains("StripAccents") != stripsAccents { keys.append("\"keep_accents\": \(stripsAccents)") }
    throw otherSteps(
      found, names,
      keys.isEmpty
        ? Self.goingByTheFile(settings)
        : "Say \(keys.joined(separator: " and ")) in tokenizer_config.json if the file is right.")
  }

  private func otherSteps(_ found: [String], _ steps: [String], _ advice: String) -> ApusError {
    ApusError(
      .unsupportedModel, "is \(found.isEmpty ? "none" : found.joined(separator: ", ").clipped)",
      expected: (steps + ["the character map of the pieces, if they have one"]).joined(separator: ", "),
      at: "normalizer", file: file, advice: advice)
  }

  /// Whether the steps behind a class's own are its character map, if any, and what version 4 wrote behind that: one space
  /// for runs of them, of which words have none.
  private static func isFollowedUp(_ steps: ArraySlice<String>) -> Bool {
    let rest = steps.first == "Precompiled" ? steps.dropFirst() : steps
    return rest.isEmpty || Array(rest) == [replacement("/ {2,}/", " ")]
  }

  /// What the steps of the file's normalizer do: their types, and of replacements what is replaced, a text or an expression.
  private var normalizerSteps: [String] {
    guard let stated = root.stated("normalizer") else { return [] }
    var steps = [stated]
    if case .array(let parts)? = stated["normalizers"] { steps = parts }
    return steps.map { step in
      let type = step["type"]?.string ?? ""
      guard type == "Replace" else { return type }
      let pattern = step["pattern"]
      let found = pattern?["String"]?.string.map { "\"\($0)\"" } ?? "/\(pattern?["Regex"]?.string ?? "")/"
      return Self.replacement(found, step["content"]?.string ?? "")
    }
  }

  private static func replacement(_ found: String, _ content: String) -> String {
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
  private func require(
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
