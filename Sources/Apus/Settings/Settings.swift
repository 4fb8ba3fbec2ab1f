import JSONCoding
import TensorCore

/// The settings of a type's options in JSON: keys, the form of each value, and the property it sets.
///
/// A program with settings of its own beside a model's, such as a server, includes these unchanged, by ``inside(_:)``
/// and ``only(_:)``.
public struct Settings<Options>: Sendable {
  fileprivate struct Field: Sendable {
    let key: ExactText
    let shape: SettingShape
    let read: @Sendable (JSONValue, inout Options) throws(SettingFault) -> Void
    /// Nil where nothing is said.
    let write: @Sendable (Options) throws(ApusError) -> JSONValue?
  }

  fileprivate var fields: [Field] = []

  init() {}

  /// The keys, in the order in which they are written.
  public var keys: [String] { fields.map(\.key.text) }

  /// The value under a key; nil if the key is unknown.
  public func shape(of key: String) -> SettingShape? { self[key]?.shape }

  private subscript(key: String) -> Field? {
    let key = ExactText(key)
    return fields.first { $0.key == key }
  }

  /// Sets one of the options.
  /// - Throws: ``SettingFault`` for a key that is not known, and for a value that cannot be.
  public func read(_ value: JSONValue, for key: String, into options: inout Options) throws(SettingFault) {
    guard let field = self[key] else { throw .unknown(key: key, known: keys) }
    try field.read(value, &options)
  }

  /// A value from the text of a form or a URL: `10`, `true`.
  public func read(text: String, for key: String, into options: inout Options) throws(SettingFault) {
    guard let field = self[key] else { throw .unknown(key: key, known: keys) }
    try field.read(field.shape.value(of: text), &options)
  }

  /// Sets what an object says. A value that is null says nothing.
  /// - Throws: ``ApusError`` of kind `argument` that names the key.
  func read(_ value: JSONValue, into options: inout Options) throws(ApusError) {
    guard case .object(let members) = value else {
      throw ApusError(.argument, "the options are \(value.kind)", expected: "an object")
    }
    do throws(SettingFault) {
      for member in members {
        guard let field = fields.first(where: { $0.key == member.key }) else {
          throw .unknown(key: member.key.text, known: keys)
        }
        if member.value != .null { try field.read(member.value, &options) }
      }
    } catch {
      throw ApusError(error)
    }
  }

  /// The settings that differ from other options.
  /// - Throws: ``ApusError`` of kind `argument` for a value that JSON has not.
  func write(_ options: Options, where standard: Options) throws(ApusError) -> JSONValue {
    var members: [JSONValue.Member] = []
    for field in fields {
      do throws(ApusError) {
        let value = try field.write(options)
        if let value, value != (try field.write(standard)) {
          members.append(JSONValue.Member(key: field.key, value: value))
        }
      } catch {
        throw error.at("'\(field.key)'")
      }
    }
    return .object(members)
  }

  /// The settings with these keys only.
  public func only(_ keys: some Sequence<String>) -> Settings {
    let wanted = Set(keys.map { ExactText($0) })
    return with(fields.filter { wanted.contains($0.key) })
  }

  /// The settings without these keys.
  public func without(_ keys: some Sequence<String>) -> Settings {
    let unwanted = Set(keys.map { ExactText($0) })
    return with(fields.filter { !unwanted.contains($0.key) })
  }

  private func with(_ fields: [Field]) -> Settings {
    var settings = Settings()
    settings.fields = fields
    return settings
  }

  /// The settings of a type that contains these options.
  /// - Parameter path: where it holds them.
  public func inside<Outer>(_ path: any WritableKeyPath<Outer, Options> & Sendable) -> Settings<Outer> {
    var outer = Settings<Outer>()
    outer.fields = fields.map { field in
      Settings<Outer>.Field(
        key: field.key, shape: field.shape,
        read: { (value, options) throws(SettingFault) in try field.read(value, &options[keyPath: path]) },
        write: { (options) throws(ApusError) in try field.write(options[keyPath: path]) })
    }
    return outer
  }

  /// Both, in this order.
  public static func + (first: Settings, second: Settings) -> Settings {
    first.with(first.fields + second.fields)
  }
}

extension Settings {
  /// One setting that always has a value.
  static func setting<Value>(
    _ setting: Setting, _ path: any WritableKeyPath<Options, Value> & Sendable, _ form: SettingForm<Value>
  ) -> Settings {
    one(setting, form) {
      $0[keyPath: path] = $1
    } get: {
      $0[keyPath: path]
    }
  }

  /// One setting that may be left open.
  static func setting<Value>(
    _ setting: Setting, _ path: any WritableKeyPath<Options, Value?> & Sendable, _ form: SettingForm<Value>
  ) -> Settings {
    one(setting, form) {
      $0[keyPath: path] = $1
    } get: {
      $0[keyPath: path]
    }
  }

  private static func one<Value>(
    _ setting: Setting, _ form: SettingForm<Value>, set: @escaping @Sendable (inout Options, Value) -> Void,
    get: @escaping @Sendable (Options) -> Value?
  ) -> Settings {
    var settings = Settings()
    settings.fields = [
      Field(
        key: ExactText(setting.key), shape: form.shape,
        read: { (value, options) throws(SettingFault) in
          let read: Value
          do throws(SettingForm<Value>.Misfit) {
            read = try form.read(value)
          } catch {
            throw .unexpected(error.found, key: setting.key + error.place, expected: error.expected)
          }
          set(&options, read)
        },
        write: { (options) throws(ApusError) in
          guard let value = get(options) else { return nil }
          return try form.write(value)
        })
    ]
    return settings
  }
}
