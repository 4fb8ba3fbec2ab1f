import JSONCoding
import TensorCore

/// What a label file says of a class besides its label: what people call it, what it is, what to do about it.
public struct LabelDetails: Sendable, Hashable, Codable {
  /// What people call the class.
  public var name: TranslatedText?
  /// What the class is.
  public var description: TranslatedText?
  /// What to do where the class is found.
  public var advice: TranslatedText?

  /// What is known of a class.
  public init(
    name: TranslatedText? = nil, description: TranslatedText? = nil, advice: TranslatedText? = nil
  ) {
    self.name = name
    self.description = description
    self.advice = advice
  }
}

/// A class in a label file, with what is said of it.
struct LabelEntry {
  var label: String?
  var index: Int?
  var details = LabelDetails()

  init(label: String) { self.label = label }

  /// - Parameter members: of the object of one class.
  /// - Throws: ``ApusError`` of kind `configuration` that names a key nobody knows.
  init(_ members: [JSONValue.Member]) throws(ApusError) {
    for member in members {
      switch member.key {
      case "label": label = try Self.demand(member, "a text", member.value.string)
      case "index": index = try Self.demand(member, "the index of a class", member.value.int)
      case "name": details.name = try TranslatedText(member.value, of: member.key.text)
      case "description": details.description = try TranslatedText(member.value, of: member.key.text)
      case "advice": details.advice = try TranslatedText(member.value, of: member.key.text)
      default:
        throw ApusError(
          .configuration, "the key \"\(member.key.clipped)\"",
          expected: "label, index, name, description or advice")
      }
    }
  }

  private static func demand<Value>(
    _ member: JSONValue.Member, _ expected: String, _ value: Value?
  ) throws(ApusError) -> Value {
    guard let value else {
      throw ApusError(.configuration, "\"\(member.key)\" is \(member.value.kind)", expected: expected)
    }
    return value
  }
}
