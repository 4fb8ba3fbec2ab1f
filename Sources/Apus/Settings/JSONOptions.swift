import JSONCoding
import TensorCore

/// Options that can be written in JSON, as a file, another language or a client states them.
///
///     let options = try ZeroShotClassifier.Options(json: #"{"text_model": "clip-text", "logit_scale": 100}"#)
///
/// Keys are the names of the options in words with `_` between them, the same as in a server's file of models and in its
/// requests; ``settings`` lists them. What is not said, or null, is as in ``standard``. A key that is not known and a value of
/// another kind or out of its range are refused by name. Foundation's `JSONDecoder` and every other `Decoder` read the same.
public protocol JSONOptions: Codable, Sendable {
  /// The defaults.
  static var standard: Self { get }

  /// The settings.
  static var settings: Settings<Self> { get }
}

extension JSONOptions {
  /// - Parameter json: an object, as text.
  /// - Throws: ``ApusError`` of kind `argument` that names the key, or the place where it is no JSON.
  public init(json: String) throws(ApusError) {
    self = .standard
    try Self.settings.read(try JSONValue.parse(Array(json.utf8)[...], from: .settings), into: &self)
  }

  /// The options as an object with what is not as in ``standard``.
  /// - Throws: ``ApusError`` of kind `argument` for a value that JSON has not, such as a preprocessing profile without a
  ///   name.
  public func json() throws(ApusError) -> String {
    JSONText.text(of: try Self.settings.write(self, where: .standard))
  }

  /// Reads what ``init(json:)`` reads.
  /// - Throws: ``ApusError`` of kind `argument` that names the key.
  public init(from decoder: any Decoder) throws {
    self = .standard
    try Self.settings.read(try JSONValue(from: decoder), into: &self)
  }

  /// Writes what ``json()`` writes.
  public func encode(to encoder: any Encoder) throws {
    try Self.settings.write(self, where: .standard).encode(to: encoder)
  }
}
