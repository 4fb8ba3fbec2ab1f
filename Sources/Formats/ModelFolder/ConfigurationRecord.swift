import JSONCoding
import TensorCore

/// What the configuration files of a model came to when they were read: each key that was asked for, with what its absence
/// means where it is not there.
package final class ConfigurationRecord: Sendable {
  /// A key and what it comes to.
  package struct Setting: Sendable {
    /// The name of the file.
    package let file: String
    /// The path of the key in it, such as `vision_config.layer_norm_eps`.
    package let key: String
    package let value: JSONValue

    /// The value for people.
    package var text: String { value.string ?? value.text }

    /// Whether two values come to the same, whatever their digits.
    package func means(_ other: Setting) -> Bool { value.means(other.value) }
  }

  private let known = Lock<[ExactText: [ExactText: JSONValue]]>([:])

  package init() {}

  func add(_ reader: ConfigurationReader, file: String) {
    let settings = reader.settings
    known.withLock { $0[ExactText(file), default: [:]].merge(settings) { $1 } }
  }

  /// In the order of files and keys.
  package var settings: [Setting] {
    known.withLock { known in
      known.sorted { $0.key < $1.key }.flatMap { file, settings in
        settings.sorted { $0.key < $1.key }.map {
          Setting(file: file.text, key: $0.key.text, value: $0.value)
        }
      }
    }
  }
}

extension ConfigurationReader {
  /// What the keys come to that were asked for and may have more than one value, here and in the objects within.
  fileprivate var settings: [ExactText: JSONValue] {
    let prefix = path.isEmpty ? "" : path + "."
    let (assumed, restricted) = (use.assumed, use.restricted)
    var settings: [ExactText: JSONValue] = [:]
    for key in use.asked where restricted[key] == nil {
      guard let value = stated(key.text) ?? assumed[key] else { continue }
      if case .object = value { continue }
      settings["\(prefix)\(key)"] = value
    }
    for part in use.parts { settings.merge(part.settings) { $1 } }
    return settings
  }
}

extension JSONValue {
  /// A value of Swift as a file would state it.
  init(standingFor value: Any) {
    switch value {
    case let flag as Bool: self = .bool(flag)
    case let number as Int: self = .number("\(number)")
    case let number as Double: self = .number("\(number)")
    default: self = .string("\(value)")
    }
  }
}
