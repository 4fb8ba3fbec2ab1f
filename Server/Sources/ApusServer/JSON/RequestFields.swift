import Apus
import ApusServing

/// The fields of a request, of an object in one, or of a file: each is asked for by its name, and has the kind that is asked
/// for or is refused by name. A field that is null is as good as absent.
package struct RequestFields {
  /// What stands before the names of fields in errors: `parameters.`, or nothing.
  private let place: String
  private let values: [ExactText: JSONValue]

  /// The fields of a body, which must be an object.
  init(body: [UInt8]) throws(RequestFault) {
    try self.init(whole: try JSONValue.parse(body: body), called: "body")
  }

  /// The fields of a whole body or file, which must be an object.
  /// - Parameter what: what it is, for errors.
  package init(whole value: JSONValue, called what: String) throws(RequestFault) {
    guard case .object(let members) = value else {
      throw RequestFault(.field, "The \(what) is \(value.description), expected an object.")
    }
    self.init(members, place: "")
  }

  /// The fields of an object inside a request.
  package init(_ value: JSONValue, _ name: String) throws(RequestFault) {
    guard case .object(let members) = value else { throw .unexpected(value, name, expected: "an object") }
    self.init(members, place: name + ".")
  }

  private init(_ members: [JSONValue.Member], place: String) {
    self.place = place
    values = members.reduce(into: [:]) { if $1.value != .null { $0[$1.key] = $1.value } }
  }

  /// The name of a field as errors have it.
  package func name(_ key: String) -> String { place + key }

  /// A field's value, of any kind; nil when it is absent.
  package subscript(key: String) -> JSONValue? { values[ExactText(key)] }

  /// The same for a field that must be there.
  package func value(_ key: String) throws(RequestFault) -> JSONValue {
    guard let value = self[key] else { throw .missing(name(key)) }
    return value
  }

  /// Sets what stands under the keys of options; other fields are left.
  package func read<Options>(
    _ settings: Settings<Options>, into options: inout Options
  ) throws(RequestFault) {
    for key in settings.keys {
      guard let value = self[key] else { continue }
      do throws(SettingFault) {
        try settings.read(value, for: key, into: &options)
      } catch {
        throw RequestFault(error, place: place)
      }
    }
  }

  /// Refuses fields of other names: a misspelt one would be passed over without a word.
  package func refuseAll(but known: Set<ExactText>) throws(RequestFault) {
    guard let unknown = values.keys.filter({ !known.contains($0) }).min() else { return }
    throw RequestFault(
      .field,
      "'\(name(unknown.text).clipped)' is not known here; known are \(Self.list(known)).",
      field: name(unknown.text).clipped)
  }

  /// Names in a sentence.
  static func list(_ names: Set<ExactText>) -> String { names.sorted().map(\.text).joined(separator: ", ") }

  /// Refuses a field that is known, and would change the answer, but that no model here can follow.
  func refuse(_ key: String, _ reason: String) throws(RequestFault) {
    guard self[key] != nil else { return }
    throw RequestFault(.field, "'\(name(key))': \(reason)", field: name(key))
  }
}

extension RequestFields {
  func text(_ key: String) throws(RequestFault) -> String { try Self.text(try value(key), name(key)) }

  package func optionalText(_ key: String) throws(RequestFault) -> String? {
    guard let value = self[key] else { return nil }
    return try Self.text(value, name(key))
  }

  func texts(_ key: String) throws(RequestFault) -> [String] { try Self.texts(try value(key), name(key)) }

  package func optionalTexts(_ key: String) throws(RequestFault) -> [String]? {
    guard let value = self[key] else { return nil }
    return try Self.texts(value, name(key))
  }

  package func optionalFlag(_ key: String) throws(RequestFault) -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .bool(let flag) = value else {
      throw .unexpected(value, name(key), expected: "true or false")
    }
    return flag
  }

  package func optionalCount(_ key: String) throws(RequestFault) -> Int? {
    guard let value = self[key] else { return nil }
    guard let count = value.whole, 1...Int(Int32.max) ~= count else {
      throw .unexpected(value, name(key), expected: "a whole number from 1")
    }
    return count
  }

  package func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(RequestFault) -> Choice? {
    guard let value = self[key] else { return nil }
    guard let text = value.string, let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      throw .unexpected(value, name(key), expected: known)
    }
    return choice
  }

  func optionalFields(_ key: String) throws(RequestFault) -> RequestFields? {
    guard let value = self[key] else { return nil }
    return try RequestFields(value, name(key))
  }

  func fields(_ key: String) throws(RequestFault) -> RequestFields {
    guard let fields = try optionalFields(key) else { throw .missing(name(key)) }
    return fields
  }

  /// A vector, of one number at least, each of which a float can have.
  func vector(_ key: String) throws(RequestFault) -> [Float] {
    let value = try value(key)
    guard case .array(let values) = value, !values.isEmpty else {
      throw .unexpected(value, name(key), expected: "a list of numbers")
    }
    var vector: [Float] = []
    vector.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      vector.append(try Self.number(value, "\(name(key))[\(index)]"))
    }
    return vector
  }

  private static func number(_ value: JSONValue, _ name: String) throws(RequestFault) -> Float {
    guard let number = value.float else {
      throw .unexpected(value, name, expected: "a number in the range of floats")
    }
    return number
  }

  static func text(_ value: JSONValue, _ name: String) throws(RequestFault) -> String {
    guard let text = value.string else { throw .unexpected(value, name, expected: "a text") }
    return text
  }

  static func texts(_ value: JSONValue, _ name: String) throws(RequestFault) -> [String] {
    guard case .array(let values) = value else { throw .unexpected(value, name, expected: "a list of texts") }
    var texts: [String] = []
    for (index, value) in values.enumerated() { texts.append(try text(value, "\(name)[\(index)]")) }
    return texts
  }
}
