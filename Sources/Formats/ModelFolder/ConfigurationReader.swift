import JSONCoding
import TensorCore

/// Typed access to a JSON configuration. Errors name the file, the path of the key, what was found and expected.
///
/// It notes which keys were asked for, in the objects within it too. Those that change no result are passed over by
/// name, ``passOver(_:)``; ``requireAllRead()`` refuses what is left. ``ModelFolder`` hands a reader out for as long
/// as a file is read, and ends with that.
package struct ConfigurationReader: Sendable {
  /// The path of the file, for errors.
  package let file: String
  /// The path of this object in the file, such as `vision_config`; empty at the root.
  package let path: String
  private let values: [ExactText: JSONValue]
  /// All keys in the order of the file.
  package let keysInOrder: [String]
  let use = KeyUse()

  /// - Throws: ``ApusError`` of kind `file` when the file cannot be read or is over `limit` bytes, and of kind
  ///   `configuration` when it is no JSON object.
  package init(contentsOf path: String, limit: Int = 16 << 20) throws(ApusError) {
    try self.init(try FileBytes.read(path, limit: limit), file: path)
  }

  /// - Parameter file: how errors name the bytes.
  package init(_ bytes: [UInt8], file: String) throws(ApusError) {
    do {
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      try self.init(try JSONValue.parse(bytes[start...]), file: file, path: "")
    } catch {
      throw error.inFile(file)
    }
  }

  /// - Parameter path: the path of the object in its file.
  /// - Throws: ``ApusError`` when `value` is no object.
  package init(_ value: JSONValue, file: String, path: String) throws(ApusError) {
    guard case .object(let members) = value else {
      throw ApusError(
        .configuration, "is \(value.kind)", expected: "an object", at: path.isEmpty ? nil : path, file: file)
    }
    self.file = file
    self.path = path
    keysInOrder = members.map(\.key.text)
    values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private init(copying other: ConfigurationReader) {
    (file, path, values, keysInOrder) = (other.file, other.path, other.values, other.keysInOrder)
  }

  /// The same object, of which nothing was asked yet.
  package var unread: ConfigurationReader { ConfigurationReader(copying: self) }

  /// All keys, sorted.
  package var keys: [String] { values.keys.sorted().map(\.text) }

  /// Whether the key is there with a value other than null.
  package func has(_ key: String) -> Bool { value(key) != nil }

  /// The value as it stands in the file; nil when the key is missing or null.
  package func value(_ key: String) -> JSONValue? {
    use.ask(key)
    return stated(key)
  }

  /// Whether the key is there and null, where that means something else than a missing key.
  package func isNull(_ key: String) -> Bool {
    use.ask(key)
    return values[ExactText(key)] == .null
  }

  /// The value of a key, which is not thereby used: for errors.
  package func stated(_ key: String) -> JSONValue? {
    values[ExactText(key)].flatMap { $0 == .null ? nil : $0 }
  }

  /// An integer in a range; `default` when the key is missing or null.
  /// - Throws: ``ApusError`` when it is no integer or not in the range, or missing without a default.
  package func integer(
    _ key: String, in range: ClosedRange<Int>, default fallback: Int? = nil
  ) throws(ApusError) -> Int {
    try required(key, try optionalInteger(key, in: range) ?? fallback, "an integer \(Self.text(range))")
  }

  /// An integer in a range; nil when the key is missing or null.
  package func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(ApusError) -> Int? {
    guard let value = value(key) else { return nil }
    // JSON written by other tools has whole numbers such as 12.0.
    guard let number = value.int ?? value.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw unexpected(key, value, "an integer \(Self.text(range))")
    }
    return number
  }

  /// A number in a range; `default` when the key is missing or null.
  package func number(
    _ key: String, in range: ClosedRange<Double> = -1e300...1e300, default fallback: Double? = nil
  ) throws(ApusError) -> Double {
    guard let value = value(key) else {
      return try required(key, fallback, "a number \(Self.text(range))")
    }
    guard let number = value.double, range.contains(number) else {
      throw unexpected(key, value, "a number \(Self.text(range))")
    }
    return number
  }

  /// `true` or `false`; `default` when the key is missing or null.
  package func bool(_ key: String, default fallback: Bool? = nil) throws(ApusError) -> Bool {
    guard let value = value(key) else { return try required(key, fallback, "true or false") }
    guard case .bool(let flag) = value else { throw unexpected(key, value, "true or false") }
    return flag
  }

  /// A text; `default` when the key is missing or null.
  package func string(_ key: String, default fallback: String? = nil) throws(ApusError) -> String {
    try required(key, try optionalString(key) ?? fallback, "a text")
  }

  /// A text; nil when the key is missing or null.
  package func optionalString(_ key: String) throws(ApusError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw unexpected(key, value, "a text") }
    return text
  }

  /// What a text stands for, among named values; `default` when the key is missing or null.
  package func choice<Value>(
    _ key: String, _ choices: KeyValuePairs<ExactText, Value>, default fallback: Value? = nil
  ) throws(ApusError) -> Value {
    let names = choices.map(\.key.text).joined(separator: ", ")
    guard let value = value(key) else {
      let meant = choices.first { name in fallback.map { "\($0)" as ExactText == "\(name.value)" } ?? false }?
        .key.text
      return try required(key, fallback, "one of \(names)", stated: meant)
    }
    guard let choice = choices.first(where: { .string($0.key) == value }) else {
      throw unexpected(key, value, "one of \(names)", kind: .unsupportedModel)
    }
    return choice.value
  }

  /// The object under a key.
  package func object(_ key: String) throws(ApusError) -> ConfigurationReader {
    try required(key, try optionalObject(key), "an object")
  }

  /// The object under a key; nil when the key is missing or null.
  package func optionalObject(_ key: String) throws(ApusError) -> ConfigurationReader? {
    guard let value = value(key) else { return nil }
    return try part(value, place(key))
  }

  /// The objects of a list under a key; nil when the key is missing or null.
  package func optionalObjects(
    _ key: String, of expected: String = "objects"
  ) throws(ApusError) -> [ConfigurationReader]? {
    guard let values = try optionalList(key, of: expected, { if case .object = $0 { $0 } else { nil } })
    else {
      return nil
    }
    var readers: [ConfigurationReader] = []
    for (index, value) in values.enumerated() { readers.append(try part(value, "\(place(key))[\(index)]")) }
    return readers
  }

  private func part(_ value: JSONValue, _ path: String) throws(ApusError) -> ConfigurationReader {
    use.part(try ConfigurationReader(value, file: file, path: path))
  }

  /// A list under a key, each value read by `element`; nil when the key is missing or null.
  package func optionalList<Value>(
    _ key: String, of expected: String, _ element: (JSONValue) -> Value?
  ) throws(ApusError) -> [Value]? {
    guard let value = value(key) else { return nil }
    guard case .array(let values) = value else { throw unexpected(key, value, "a list of \(expected)") }
    let elements = values.compactMap(element)
    guard elements.count == values.count else { throw unexpected(key, value, "a list of \(expected)") }
    return elements
  }

  /// - Parameter name: how a file would state the value, where that is not the value's own description.
  private func required<Value>(
    _ key: String, _ value: Value?, _ expected: String, stated name: String? = nil
  ) throws(ApusError) -> Value {
    guard let value else {
      throw ApusError(.configuration, "is missing", expected: expected, at: place(key), file: file)
    }
    if stated(key) == nil { use.assume(key, JSONValue(standingFor: name ?? value)) }
    return value
  }

  /// The path of a key in the file.
  package func place(_ key: String) -> String { path.isEmpty ? key.clipped : "\(path).\(key.clipped)" }

  private static func text<Bound>(_ range: ClosedRange<Bound>) -> String {
    "in \(range.lowerBound)…\(range.upperBound)"
  }
}
