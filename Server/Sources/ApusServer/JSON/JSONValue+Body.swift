import Apus
import ApusServing
@_exported import JSONCoding

extension JSONValue {
  /// Values in a body, at most: each takes many times the memory of its two bytes.
  static let maximumCount = 1 << 20

  /// The value that a body, or a file of people's, holds.
  /// - Parameter what: what it is, for errors.
  package static func parse(
    body: [UInt8], called what: String = "body", from origin: JSONOrigin = .message
  ) throws(RequestFault) -> JSONValue {
    var reader = JSONReader(body[...], from: origin, maximumValues: maximumCount)
    do throws(ApusError) {
      let value = try reader.value()
      try reader.end()
      return value
    } catch {
      guard reader.room >= 0 else {
        throw RequestFault(.tooLarge, "The \(what) holds more than \(maximumCount) values.")
      }
      throw RequestFault(.syntax, ServingError(malformed: error).message)
    }
  }

  /// What it is, for errors.
  var description: String {
    switch self {
    case .number(let digits): "the number \(whole.map { "\($0)" } ?? double.map { "\($0)" } ?? digits)"
    case .string(let text): "the text \"\(text.text.clipped)\""
    default: kind
    }
  }

  /// The number, if it is a whole one, however it is written.
  var whole: Int? { double.flatMap { Int(exactly: $0) } }

  /// The number, if a float can have it.
  var float: Float? { double.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil } }

  /// A text from elsewhere, for errors.
  package static func text(_ text: String) -> JSONValue { .string(ExactText(text)) }
}
