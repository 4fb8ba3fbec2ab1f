import FoundationEssentials
import JSONCoding
import TensorCore

extension PerformanceSnapshot {
  /// The snapshot as a JSON object on one line, keys in snake_case and, for one version, also as they were called before
  /// 0.2.0 (`p50_milliseconds` and `p50Milliseconds`). Times have their unit in their name.
  public var json: [UInt8] {
    // It could fail for numbers that are not finite alone, and a snapshot has none.
    (try? SnapshotKeys.json(of: self)).map { Array((JSONText.text(of: $0) + "\n").utf8) } ?? []
  }

  /// A snapshot from what ``json`` gave.
  /// - Throws: ``ApusError`` of kind `configuration` when it is none.
  public init(json: [UInt8]) throws(ApusError) {
    struct Form: Decodable { let format: Int? }
    do {
      let decoder = JSONDecoder(), data = Data(json)
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let format = try decoder.decode(Form.self, from: data).format
      guard format == Self.currentFormat else { throw Self.refusal(format) }
      self = try decoder.decode(Self.self, from: data)
    } catch let error as ApusError {
      throw error
    } catch let error as DecodingError {
      throw Self.refusal(error)
    } catch {
      throw ApusError(.configuration, "is no snapshot of a performance monitor")
    }
  }

  /// A snapshot from a file that ``write(to:)`` made.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be read, `configuration` when it is none.
  public init(contentsOf file: String) throws(ApusError) {
    let bytes = try FileBytes.read(file, limit: 64 << 20)
    do throws(ApusError) { try self.init(json: bytes) } catch { throw error.inFile(file) }
  }

  /// Writes ``json`` to a file, which appears whole or not at all.
  /// - Throws: ``ApusError`` of kind `file`.
  public func write(to file: String) throws(ApusError) {
    let new = try NewFile(replacing: file)
    try new.write(json)
    try new.commit()
  }

  private static func refusal(_ format: Int?) -> ApusError {
    ApusError(
      .configuration, format.map { "has format \($0)" } ?? "does not say its format",
      expected: "format \(currentFormat) of a performance monitor's snapshot")
  }

  private static func refusal(_ error: DecodingError) -> ApusError {
    func place(_ context: DecodingError.Context) -> String? {
      let path = context.codingPath.map { key in
        key.intValue.map { "[\($0)]" } ?? "." + SnapshotKeys.snakeCase(key.stringValue)
      }.joined()
      return path.isEmpty ? nil : String(path.drop { $0 == "." })
    }
    switch error {
    case .keyNotFound(let key, let context):
      return ApusError(
        .configuration, "'\(SnapshotKeys.snakeCase(key.stringValue))' is missing", at: place(context))
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return ApusError(.configuration, "is not what it should be", expected: "\(type)", at: place(context))
    // The decoder does not tell apart what breaks JSON's rules and a number that its type cannot hold.
    case .dataCorrupted(let context):
      return ApusError(
        .configuration, "is not JSON, or has a number that makes no sense there", at: place(context))
    @unknown default: return ApusError(.configuration, "is no snapshot of a performance monitor")
    }
  }
}
