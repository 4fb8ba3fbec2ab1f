import JSONCoding
import TensorCore

/// What was done with the keys of one object of a configuration.
final class KeyUse: Sendable {
  private struct State {
    var asked: Set<ExactText> = []
    /// The only values that a key may have.
    var restricted: [ExactText: String] = [:]
    /// What the absence of a key means.
    var assumed: [ExactText: JSONValue] = [:]
    /// Why a key changes no result.
    var passedOver: [ExactText: String] = [:]
    /// The objects within that were read, by their paths.
    var parts: [ExactText: ConfigurationReader] = [:]
  }

  private let state = Lock(State())

  func ask(_ key: String) { state.withLock { _ = $0.asked.insert(ExactText(key)) } }

  func restrict(_ key: String, to values: String) {
    state.withLock { $0.restricted[ExactText(key)] = values }
  }

  func assume(_ key: String, _ value: JSONValue) { state.withLock { $0.assumed[ExactText(key)] = value } }

  func passOver(_ keys: Set<ExactText>, _ reason: String) {
    state.withLock { state in
      for key in keys { state.passedOver[key] = reason }
    }
  }

  /// The part at that path if it was read before, so that what was asked of it then counts; else this one.
  func part(_ part: ConfigurationReader) -> ConfigurationReader {
    state.withLock { state in
      let path = ExactText(part.path)
      let known = state.parts[path] ?? part
      state.parts[path] = known
      return known
    }
  }

  var restricted: [ExactText: String] { state.withLock { $0.restricted } }
  var assumed: [ExactText: JSONValue] { state.withLock { $0.assumed } }
  var asked: Set<ExactText> { state.withLock { $0.asked } }
  var passedOver: [ExactText: String] { state.withLock { $0.passedOver } }
  var parts: [ConfigurationReader] { state.withLock { $0.parts.sorted { $0.key < $1.key }.map(\.value) } }

  func covers(_ key: String) -> Bool {
    let key = ExactText(key)
    return state.withLock { $0.asked.contains(key) || $0.passedOver[key] != nil }
  }
}
