import Apus

/// JSON schemas of requests and answers (draft 2020-12), for the description of the server.
enum Schema {
  static let text: JSONText = ["type": "string"]
  /// A text that says something.
  static let words: JSONText = ["type": "string", "pattern": "\\S"]
  /// The name of a model that is served.
  static let model: JSONText = ["$ref": "#/components/schemas/Model"]
  static let number: JSONText = ["type": "number"]
  static let flag: JSONText = ["type": "boolean"]
  /// A count from 1.
  static let count: JSONText = ["type": "integer", "minimum": 1, "maximum": .integer(Int(Int32.max))]
  static let tokenID: JSONText = ["type": "integer", "minimum": 0, "maximum": .integer(Int(Int32.max))]
  static let file: JSONText = ["type": "string", "contentEncoding": "base64", "minLength": 4]
  static let anything: JSONText = [:]

  static func choice(_ values: [String]) -> JSONText {
    ["type": "string", "enum": .array(values.map(JSONText.string))]
  }

  /// - Parameters:
  ///   - minimum: elements that there are at least.
  ///   - maximum: elements that there are at most; nil for any number.
  static func list(_ element: JSONText, minimum: Int = 0, maximum: Int? = nil) -> JSONText {
    let most: [(key: String, value: JSONText)] = maximum.map { [("maxItems", .integer($0))] } ?? []
    return .object([("type", "array"), ("items", element), ("minItems", .integer(minimum))] + most)
  }

  static func either(_ schemas: JSONText...) -> JSONText { ["anyOf": .array(schemas)] }

  static func optional(_ schema: JSONText) -> JSONText { either(schema, ["type": "null"]) }

  /// An object whose keys are all there.
  static func object(_ properties: JSONText) -> JSONText { object(properties, isOpen: true) }

  /// An object of a request.
  /// - Parameters:
  ///   - required: keys that must be there.
  ///   - optional: keys that may be there, or be null.
  ///   - isOpen: whether others are passed over.
  static func object(_ required: JSONText, optional: JSONText = [:], isOpen: Bool) -> JSONText {
    guard case .object(let required) = required, case .object(let optional) = optional else { return [:] }
    let properties = required + optional.map { (key: $0.key, value: Self.optional($0.value)) }
    return [
      "type": "object", "properties": .object(properties),
      "required": .array(required.map { .string($0.key) }), "additionalProperties": .bool(isOpen),
    ]
  }
}

extension Schema {
  /// The schemas of options, by their keys.
  static func members<Options>(_ settings: Settings<Options>) -> [JSONText.Member] {
    settings.keys.compactMap { key in
      guard let shape = settings.shape(of: key) else { return nil }
      return (key: key, value: schema(of: shape))
    }
  }

  private static func schema(of shape: SettingShape) -> JSONText {
    switch shape {
    case .text: text
    case .choice(let names): choice(names)
    case .flag: flag
    case .number: number
    case .wholeNumber: count
    case .texts: list(text)
    case .shapes: ["type": "object", "additionalProperties": list(["type": "integer"])]
    }
  }
}
