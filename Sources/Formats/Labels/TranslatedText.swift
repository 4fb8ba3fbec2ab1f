import JSONCoding
import TensorCore

/// A text in one or several languages.
public struct TranslatedText: Sendable, Hashable, Codable {
  /// By the tag of the language, as in BCP 47 (`en`, `pt-BR`); empty where the file does not say which it is.
  public let texts: [String: String]

  /// - Parameter texts: by the tag of the language; at least one.
  /// - Throws: ``ApusError`` of kind `argument` when there is none.
  public init(_ texts: [String: String]) throws(ApusError) {
    guard !texts.isEmpty else { throw ApusError(.argument, "no text", expected: "one in some language") }
    self.texts = texts
  }

  /// The text in a language, or else as near to it as there is: in the language without its region, in no stated
  /// language, in English, in the first by the order of tags.
  /// - Parameter language: a tag such as `th` or `pt-BR`; nil for no preference.
  public func text(in language: String? = nil) -> String {
    let wanted = (language ?? "").lowercased().split(separator: "-")
    let tags = (1...max(wanted.count, 1)).reversed().map { wanted.prefix($0).joined(separator: "-") }
    for tag in tags + ["", "en"] {
      if let found = texts.keys.sorted().first(where: { $0.lowercased() == tag }) {
        return texts[found] ?? ""
      }
    }
    return texts.min { $0.key < $1.key }?.value ?? ""
  }
}

extension TranslatedText {
  /// - Parameter value: a text, or an object from languages to texts.
  /// - Throws: ``ApusError`` of kind `configuration`.
  init(_ value: JSONValue, of key: String) throws(ApusError) {
    var texts: [String: String] = [:]
    switch value {
    case .string(let text): texts[""] = text.text
    case .object(let members) where !members.isEmpty:
      for member in members {
        guard let text = member.value.string else {
          throw ApusError(
            .configuration, "\"\(key)\" in \"\(member.key.clipped)\" is \(member.value.kind)",
            expected: "a text")
        }
        guard texts.updateValue(text, forKey: member.key.text) == nil else {
          throw ApusError(
            .configuration, "a second \"\(member.key.clipped)\"", expected: "each language once",
            at: "\"\(key)\"")
        }
      }
    default:
      throw ApusError(
        .configuration, "\"\(key)\" is \(value.kind)", expected: "a text, or one for each language")
    }
    self.texts = texts
  }
}
