import Apus
import ApusServer
import ApusServing

/// Values that settings of models have. All are nil where the key is not there.
extension RequestFields {
  /// A text that is not empty.
  func words(_ key: String) throws(RequestFault) -> String? {
    guard let text = try optionalText(key) else { return nil }
    guard !text.isEmpty else {
      throw .unexpected(.text(text), name(key), expected: "a text that is not empty")
    }
    return text
  }

  /// A path, which is not empty, and no shell has to write out.
  func path(_ key: String) throws(RequestFault) -> String? {
    guard let path = try words(key) else { return nil }
    guard !path.hasPrefix("~") else {
      throw .unexpected(
        .text(path), name(key), expected: "a path without '~', which only shells write out")
    }
    return path
  }

  /// - Parameters:
  ///   - expected: what it has to be, for errors.
  ///   - isSound: whether it is that.
  func number(
    _ key: String, _ expected: String, where isSound: (Double) -> Bool
  ) throws(RequestFault) -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.double, isSound(number) else {
      throw .unexpected(value, name(key), expected: expected)
    }
    return number
  }

  /// Seconds or milliseconds, as many as the command line takes.
  func time(_ key: String) throws(RequestFault) -> Double? {
    try number(key, "a number from 0, below 1e9") { $0 >= 0 && $0 < 1e9 }
  }

  /// Seconds, or -1 for always.
  func keepAlive() throws(RequestFault) -> Double? {
    try number("keep_alive", "a number from 0, below 1e9, or -1 for always") {
      $0 >= 0 && $0 < 1e9 || $0 == -1
    }
  }

  /// A limit, as the command line takes it.
  func limit(_ key: String) throws(RequestFault) -> Int? {
    let most = 1 << 30
    let expected = "a whole number from 1 to \(most)"
    return try number(key, expected) { Int(exactly: $0).map { (1...most).contains($0) } ?? false }
      .map { Int($0) }
  }

  func precision(_ key: String) throws(RequestFault) -> Precision? {
    guard let value = self[key] else { return nil }
    guard let text = value.string, let precision = Precision(rawValue: text) else {
      throw .unexpected(value, name(key), expected: "f32, bf16 or int8")
    }
    return precision
  }

  /// Lesser forms of the model; none where the key is not there.
  func fallbacks(_ files: ModelPaths) throws(RequestFault) -> [ServedModelOptions.Fallback] {
    let key = "fallbacks"
    guard let value = self[key] else { return [] }
    guard case .array(let values) = value else {
      throw .unexpected(value, name(key), expected: "a list of objects")
    }
    guard !values.isEmpty else { throw .empty(name(key)) }
    var fallbacks: [ServedModelOptions.Fallback] = []
    for (index, value) in values.enumerated() {
      let place = "\(name(key))[\(index)]"
      let fields = try RequestFields(value, place)
      try fields.refuseAll(but: ["path", "precision"])
      let path = try fields.path("path").map(files.model)
      let precision = try fields.precision("precision")
      guard path != nil || precision != nil else {
        throw .unexpected(value, place, expected: "one with 'path' or 'precision'")
      }
      fallbacks.append(ServedModelOptions.Fallback(path: path, precision: precision))
    }
    return fallbacks
  }
}
