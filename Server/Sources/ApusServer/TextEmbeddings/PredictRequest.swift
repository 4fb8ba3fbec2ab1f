import Apus
import ApusServing

/// `POST /predict`.
struct PredictRequest: Equatable {
  /// Texts, and pairs of them that the model reads together.
  let sequences: [TextInput]
  let isSingle: Bool
  let options: TextOptions
  let wantsLogits: Bool

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    let value = try fields.value("inputs")
    if case .array(let values) = value, case .array? = values.first {
      var sequences: [TextInput] = []
      for (index, value) in values.enumerated() {
        let name = "inputs[\(index)]"
        guard case .array = value else {
          throw .unexpected(value, name, expected: "a list of one text or two")
        }
        sequences.append(try Self.sequence(value, name))
      }
      (self.sequences, isSingle) = (sequences, false)
    } else if case .array(let values) = value, values.isEmpty {
      throw .empty("inputs")
    } else {
      (sequences, isSingle) = ([try Self.sequence(value, "inputs")], true)
    }
    options = try TextOptions(fields)
    wantsLogits = try fields.optionalFlag("raw_scores") ?? false
  }

  /// A text, or a list of one or two.
  private static func sequence(_ value: JSONValue, _ name: String) throws(RequestFault) -> TextInput {
    if let text = value.string { return .text(text) }
    let texts = try RequestFields.texts(value, name)
    switch texts.count {
    case 1: return .text(texts[0])
    case 2: return .pair(TextPair(texts[0], texts[1]))
    default: throw .unexpected(value, name, expected: "a text or a pair of texts")
    }
  }
}
