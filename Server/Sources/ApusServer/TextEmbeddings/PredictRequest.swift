/// `POST /predict`.
struct PredictRequest: Equatable {
  /// A text, or two that the model reads together.
  enum Sequence: Equatable {
    case text(String)
    case pair(String, String)
  }

  let sequences: [Sequence]
  let isSingle: Bool
  let options: TextOptions
  let wantsLogits: Bool

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    let value = try fields.value("inputs")
    if case .array(let values) = value, case .array? = values.first {
      var sequences: [Sequence] = []
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
  private static func sequence(_ value: JSONValue, _ name: String) throws(RequestFault) -> Sequence {
    if case .string(let text) = value { return .text(text) }
    let texts = try RequestFields.texts(value, name)
    switch texts.count {
    case 1: return .text(texts[0])
    case 2: return .pair(texts[0], texts[1])
    default: throw .unexpected(value, name, expected: "a text or a pair of texts")
    }
  }
}
