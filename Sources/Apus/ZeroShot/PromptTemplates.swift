import TensorCore

/// Sentences into which labels are put, such as `a photo of {}`.
struct PromptTemplates: Sendable, Hashable {
  private let templates: [String]

  /// - Throws: ``ApusError`` of kind `argument` when there is none, or one has no place for the label.
  init(_ templates: [String]) throws(ApusError) {
    guard !templates.isEmpty else { throw ApusError(.argument, "no template", expected: "at least one") }
    for template in templates where !template.contains("{}") {
      throw ApusError(
        .argument, "the template '\(template)'", expected: "{} where the label goes, as in 'a photo of {}'")
    }
    self.templates = templates
  }

  /// Tells templates apart by their bytes: texts that Swift takes for equal may have other tokens.
  var key: [[UInt8]] { templates.map { Array($0.utf8) } }

  /// The label in each of the templates.
  func prompts(_ label: String) -> [String] {
    // Split, not replaced: a label may itself contain braces.
    templates.map { $0.split(separator: "{}", omittingEmptySubsequences: false).joined(separator: label) }
  }
}
