import FoundationEssentials
import GRDB
import Kernels

/// A vector of a content by a model, of unit length.
///
/// It is kept in float32. Those that an earlier Apus wrote are float16, and stay that: the number of bytes tells.
struct StoredVector: Sendable, Hashable {
  var values: [Float]

  /// Brings a vector to length 1.
  init(_ vector: [Float]) {
    let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    values = vector.map { Float(length > 0 ? Double($0) / length : 0) }
  }

  /// - Returns: nil for bytes that are no vector of that width.
  init?(_ data: Data, width: Int) {
    switch data.count {
    case width * MemoryLayout<Float>.size: values = data.withUnsafeBytes(Self.floats)
    case width * MemoryLayout<Float16>.size: values = data.withUnsafeBytes(Self.widened)
    default: return nil
    }
  }

  /// The valid sizes of a vector, in bytes.
  static func byteCounts(width: Int) -> [Int] {
    [width * MemoryLayout<Float>.size, width * MemoryLayout<Float16>.size]
  }

  private static func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let size = MemoryLayout<Float>.size
    return (0..<bytes.count / size).map {
      Float(
        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: size * $0, as: UInt32.self)))
    }
  }

  /// Float16 as float32, with the processor's instruction where it has one.
  private static func widened(_ halves: UnsafeRawBufferPointer) -> [Float] {
    let width = halves.count / MemoryLayout<Float16>.size
    return [Float](unsafeUninitializedCapacity: width) { target, count in
      guard let source = halves.baseAddress, let target = target.baseAddress else { return }
      count = width
      KernelSet.best.float.widenFloat16(source, target, width)
    }
  }

  /// Four bytes for each value, the low one first.
  var data: Data {
    values.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
  }

  /// The vector of a content; nil where the index has none by the model.
  static func find(_ key: ContentKey, by model: StoredModel, in database: Database) throws -> StoredVector? {
    try Data.fetchOne(
      database,
      sql: """
        SELECT v FROM vector JOIN content ON content.id = vector.content_id
        WHERE model_id = ? AND digest = ? AND bytes = ?
        """, arguments: [model.id, key.digest.data, key.byteCount]
    ).flatMap { StoredVector($0, width: model.width) }
  }

  /// The vector of the content with an id.
  static func find(_ content: Int64, by model: StoredModel, in database: Database) throws -> StoredVector? {
    try Data.fetchOne(
      database.cachedStatement(sql: "SELECT v FROM vector WHERE model_id = ? AND content_id = ?"),
      arguments: [model.id, content]
    ).flatMap { StoredVector($0, width: model.width) }
  }

  /// Writes the vector, unless there is one.
  /// - Returns: whether it was written.
  func store(of content: Int64, by model: Int64, in database: Database) throws -> Bool {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO vector (model_id, content_id, v) VALUES (?, ?, ?)"
    ).execute(arguments: [model, content, data])
    return database.changesCount > 0
  }
}
