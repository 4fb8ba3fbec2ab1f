import JSONCoding
import TensorCore

/// The form of a setting in JSON, to describe it and to parse it from text.
public enum SettingShape: Sendable, Hashable {
  /// Any text.
  case text
  /// One of some texts.
  case choice([String])
  /// True or false.
  case flag
  /// A number.
  case number
  /// A number without a fraction.
  case wholeNumber
  /// A list of texts.
  case texts
  /// An object with lists of whole numbers.
  case shapes

  /// The value that a text stands for, as people write it in forms and addresses; the text itself where it stands for none.
  package func value(of text: String) -> JSONValue {
    switch self {
    case .flag: Bool(text).map { .bool($0) } ?? .string(ExactText(text))
    case .number, .wholeNumber:
      Double(text).map { $0.isFinite } == true ? .number(text) : .string(ExactText(text))
    case .text, .choice, .texts, .shapes: .string(ExactText(text))
    }
  }
}

/// How the values of a setting are written in JSON.
struct SettingForm<Value>: Sendable {
  /// A value that it has not.
  struct Misfit: Error {
    /// Where in the setting: `[0]`, or nothing.
    var place = ""
    let found: JSONValue
    let expected: String
  }

  let shape: SettingShape
  let read: @Sendable (JSONValue) throws(Misfit) -> Value
  let write: @Sendable (Value) throws(ApusError) -> JSONValue

  init(
    _ shape: SettingShape, read: @escaping @Sendable (JSONValue) throws(Misfit) -> Value,
    write: @escaping @Sendable (Value) throws(ApusError) -> JSONValue
  ) {
    (self.shape, self.read, self.write) = (shape, read, write)
  }

  /// - Parameters:
  ///   - expected: what a value is, for errors.
  ///   - read: nil for what is none.
  init(
    _ shape: SettingShape, expected: String, read: @escaping @Sendable (JSONValue) -> Value?,
    write: @escaping @Sendable (Value) -> JSONValue
  ) {
    self.init(
      shape,
      read: { (value) throws(Misfit) in
        guard let read = read(value) else { throw Misfit(found: value, expected: expected) }
        return read
      }, write: { (value) throws(ApusError) in write(value) })
  }
}

extension SettingForm where Value == String {
  static var text: Self {
    Self(.text, expected: "a text") {
      $0.string
    } write: {
      .string(ExactText($0))
    }
  }
}

extension SettingForm where Value == Bool {
  static var flag: Self {
    Self(.flag, expected: "true or false") {
      if case .bool(let flag) = $0 { flag } else { nil }
    } write: {
      .bool($0)
    }
  }
}

extension SettingForm where Value == Int {
  /// A number of things, however it is written.
  static func count(upTo most: Int = .max) -> Self {
    Self(.wholeNumber, expected: "a whole number from 1") {
      $0.double.flatMap { Int(exactly: $0) }.flatMap { (1...most).contains($0) ? $0 : nil }
    } write: {
      .number("\($0)")
    }
  }
}

extension SettingForm where Value == Float {
  /// A number that a float can have.
  static var number: Self { number("a number in the range of floats") { _ in true } }

  /// A share, or a probability.
  static var fraction: Self { number("a number from 0 to 1") { (0...1).contains($0) } }

  private static func number(_ expected: String, where isSound: @escaping @Sendable (Float) -> Bool) -> Self {
    Self(
      .number,
      read: { (value) throws(Misfit) in
        guard let number = value.double.map({ Float($0) }), number.isFinite, isSound(number) else {
          throw Misfit(found: value, expected: expected)
        }
        return number
      },
      write: { (number) throws(ApusError) in
        guard number.isFinite else {
          throw ApusError(.argument, "the number \(number)", expected: "a finite one, as JSON has no other")
        }
        return .number("\(number)")
      })
  }
}

extension SettingForm where Value: Sendable & Equatable {
  /// One of some values, each with its name.
  static func choice(_ names: [(String, Value)]) -> Self {
    let list = names.map { "\"\($0.0)\"" }.joined(separator: " or ")
    return Self(
      .choice(names.map(\.0)),
      read: { (value) throws(Misfit) in
        guard case .string(let text) = value, let found = names.first(where: { ExactText($0.0) == text })
        else { throw Misfit(found: value, expected: list) }
        return found.1
      },
      write: { (value) throws(ApusError) in
        guard let name = names.first(where: { $0.1 == value }) else {
          throw ApusError(.argument, "'\(value)' has no name in JSON", expected: list)
        }
        return .string(ExactText(name.0))
      })
  }
}

extension SettingForm where Value: CaseIterable & RawRepresentable<String> & Sendable & Equatable {
  /// One of the cases, by its raw value.
  static var choice: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension SettingForm where Value == [String] {
  static var texts: Self { texts(expected: "a text") { _ in true } }

  /// Sentences with `{}` where a label goes.
  static var templates: Self {
    let some = texts(expected: "{} where the label goes") { $0.contains("{}") }
    return Self(
      .texts,
      read: { (value) throws(Misfit) in
        let templates = try some.read(value)
        guard !templates.isEmpty else { throw Misfit(found: value, expected: "at least one") }
        return templates
      }, write: some.write)
  }

  private static func texts(expected: String, where isSound: @escaping @Sendable (String) -> Bool) -> Self {
    Self(
      .texts,
      read: { (value) throws(Misfit) in
        guard case .array(let values) = value else {
          throw Misfit(found: value, expected: "a list of texts")
        }
        var texts: [String] = []
        for (index, value) in values.enumerated() {
          guard let text = value.string else {
            throw Misfit(place: "[\(index)]", found: value, expected: "a text")
          }
          guard isSound(text) else { throw Misfit(place: "[\(index)]", found: value, expected: expected) }
          texts.append(text)
        }
        return texts
      }, write: { (texts) throws(ApusError) in .array(texts.map { .string(ExactText($0)) }) })
  }
}

extension SettingForm where Value == [String: [Int]] {
  /// Shapes by the names of what has them.
  static var shapes: Self {
    Self(
      .shapes,
      read: { (value) throws(Misfit) in
        guard case .object(let members) = value else { throw Misfit(found: value, expected: "an object") }
        var shapes: [String: [Int]] = [:]
        for member in members {
          let place = ".\(member.key.text.clipped)"
          guard case .array(let sizes) = member.value else {
            throw Misfit(place: place, found: member.value, expected: "a list of whole numbers")
          }
          var shape: [Int] = []
          for (index, size) in sizes.enumerated() {
            guard let count = size.double.flatMap({ Int(exactly: $0) }) else {
              throw Misfit(place: "\(place)[\(index)]", found: size, expected: "a whole number")
            }
            shape.append(count)
          }
          guard shapes.updateValue(shape, forKey: member.key.text) == nil else {
            throw Misfit(place: place, found: member.value, expected: "each input once")
          }
        }
        return shapes
      },
      write: { (shapes) throws(ApusError) in
        let members = shapes.map { (ExactText($0), $1) }.sorted { $0.0 < $1.0 }
        return .object(
          members.map { JSONValue.Member(key: $0.0, value: .array($0.1.map { .number("\($0)") })) })
      })
  }
}

extension SettingForm where Value == Precision {
  static var precision: Self {
    Self(.choice(Precision.allCases.map(\.shortName)), expected: "f32, bf16 or int8") {
      $0.string.flatMap { Precision(rawValue: $0) }
    } write: {
      .string(ExactText($0.shortName))
    }
  }
}

extension SettingForm where Value == ImageOptions.Transparency {
  static var transparency: Self {
    Self(.text, expected: "ignored, white, black or six hexadecimal digits such as 80a0ff") {
      $0.string.flatMap { ImageOptions.Transparency($0) }
    } write: {
      .string(ExactText($0.description))
    }
  }
}

extension SettingForm where Value == PreprocessingProfile {
  /// A profile by its name.
  static var profile: Self {
    let names = PreprocessingProfile.all.map(\.name)
    return Self(
      .text,
      read: { (value) throws(Misfit) in
        guard let name = value.string, let profile = try? PreprocessingProfile.named(name) else {
          throw Misfit(found: value, expected: "one of \(names.joined(separator: ", "))")
        }
        return profile
      },
      write: { (profile) throws(ApusError) in
        guard PreprocessingProfile.all.contains(profile) else {
          throw ApusError(
            .argument, "the preprocessing profile '\(profile.name)' has no name in JSON",
            expected: "one of \(names.joined(separator: ", "))")
        }
        return .string(ExactText(profile.name))
      })
  }
}
