import Synchronization

/// What was done with the keys of one object of a configuration.
final class KeyUse: Sendable {
  private struct State {
    var asked: Set<String> = []
    /// The only values that a key may have.
    var restricted: [String: String] = [:]
    /// What the absence of a key means.
    var assumed: [String: JSONValue] = [:]
    /// Why a key changes no result.
    var passedOver: [String: String] = [:]
    /// The objects within that were read, by their paths.
    var parts: [String: ConfigurationReader] = [:]
  }

  private let state = Mutex(State())

  func ask(_ key: String) { state.withLock { _ = $0.asked.insert(key) } }

  func restrict(_ key: String, to values: String) { state.withLock { $0.restricted[key] = values } }

  func assume(_ key: String, _ value: JSONValue) { state.withLock { $0.assumed[key] = value } }

  func passOver(_ keys: Set<String>, _ reason: String) {
    state.withLock { state in
      for key in keys { state.passedOver[key] = reason }
    }
  }

  /// The part at that path if it was read before, so that what was asked of it then counts; else this one.
  func part(_ part: ConfigurationReader) -> ConfigurationReader {
    state.withLock { state in
      let known = state.parts[part.path] ?? part
      state.parts[part.path] = known
      return known
    }
  }

  var restricted: [String: String] { state.withLock { $0.restricted } }
  var assumed: [String: JSONValue] { state.withLock { $0.assumed } }
  var asked: Set<String> { state.withLock { $0.asked } }
  var passedOver: [String: String] { state.withLock { $0.passedOver } }
  var parts: [ConfigurationReader] { state.withLock { $0.parts.values.sorted { $0.path < $1.path } } }

  func covers(_ key: String) -> Bool {
    state.withLock { $0.asked.contains(key) || $0.passedOver[key] != nil }
  }
}
