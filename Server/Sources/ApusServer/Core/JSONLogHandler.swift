import FoundationEssentials
import Logging

/// Writes a log for programs that collect logs: an object in each line, with `time` (RFC 3339, in UTC), `level`, `label`,
/// `message` and `metadata`, in which numbers and truth values are such.
public struct JSONLogHandler: LogHandler {
  /// What is less than that is not logged.
  public var logLevel = Logger.Level.info
  /// What every line has.
  public var metadata: Logger.Metadata = [:]
  /// What lines have for the task that they are from.
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let write: @Sendable ([UInt8]) -> Void

  /// - Parameters:
  ///   - label: who writes the log.
  ///   - write: is given each line, with its line break.
  public init(label: String, write: @escaping @Sendable ([UInt8]) -> Void) {
    (self.label, self.write) = (label, write)
  }

  /// What every line has, by its name.
  public subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a line.
  public func log(event: LogEvent) {
    write(Self.line(event.level, label, "\(event.message)", metadata(of: event)))
  }

  /// The line that tells of lines that were dropped.
  public static func lineOfDropped(_ count: Int) -> [UInt8] {
    line(.warning, "apus", "lines of the log were dropped", ["lines": .stringConvertible(count)])
  }

  /// The line for something that a library wrote to standard error itself.
  public static func lineOfLibrary(_ text: String) -> [UInt8] { line(.warning, "stderr", text, [:]) }

  /// The line for an error that ends the process.
  public static func lineOfEnd(_ text: String) -> [UInt8] { line(.critical, "apus", text, [:]) }

  private static func line(
    _ level: Logger.Level, _ label: String, _ message: String, _ metadata: Logger.Metadata
  ) -> [UInt8] {
    var line: [(key: String, value: JSONText)] = [
      ("time", .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(.now))),
      ("level", .string(level.rawValue)), ("label", .string(label)), ("message", .string(message)),
    ]
    if !metadata.isEmpty { line.append(("metadata", JSONText(metadata))) }
    return JSONText.object(line).bytes + "\n".utf8
  }

  /// What a line has; where a name is there several times, the event's own counts before the task's and that before mine.
  private func metadata(of event: LogEvent) -> Logger.Metadata {
    var all = metadata
    all.merge(metadataProvider?.get() ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    all.merge(event.metadata ?? [:]) { $1 }
    return all
  }
}

extension JSONText {
  /// Metadata in the order of their names.
  fileprivate init(_ metadata: Logger.Metadata) {
    self = .object(metadata.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONText($0.value)) })
  }

  private init(_ value: Logger.MetadataValue) {
    self =
      switch value {
      case .string(let text): .string(text)
      case .array(let values): .array(values.map { JSONText($0) })
      case .dictionary(let metadata): JSONText(metadata)
      case .stringConvertible(let number as Int): .integer(number)
      case .stringConvertible(let number as Double): .number(number)
      case .stringConvertible(let flag as Bool): .bool(flag)
      case .stringConvertible(let other): .string("\(other)")
      }
  }
}
