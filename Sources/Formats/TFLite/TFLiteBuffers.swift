import TensorCore

/// The buffers of a model: byte vectors of the flatbuffer, or pieces of the file behind it.
enum TFLiteBuffers {
  /// The bytes of each buffer as ranges of the file; empty for a buffer without data.
  static func ranges(_ model: FlatBufferTable, fileSize: Int) throws(ApusError) -> [Range<Int>] {
    try model.tables(4, "buffers", as: "Buffer").map { (index, table) throws(ApusError) in
      do throws(ApusError) {
        if let data = try table.byteRange(0, "data"), !data.isEmpty { return data }
        let found = try outside(
          table, offsetSlot: 1, "offset", sizeSlot: 2, "size", fileSize: fileSize)
        return found ?? 0..<0
      } catch {
        throw error.at("buffer \(index)")
      }
    }
  }

  /// A piece of the file given by two fields, or nil when they give none: by the rule of the schema only
  /// offsets above 1 count.
  static func outside(
    _ table: FlatBufferTable, offsetSlot: Int, _ offsetName: String, sizeSlot: Int, _ sizeName: String,
    fileSize: Int
  ) throws(ApusError) -> Range<Int>? {
    let offset = try table.integer(offsetSlot, offsetName, default: 0 as UInt64)
    let size = try table.integer(sizeSlot, sizeName, default: 0 as UInt64)
    guard offset > 1 else { return nil }
    guard let start = Int(exactly: offset), let count = Int(exactly: size), start <= fileSize,
      count <= fileSize - start
    else {
      throw table.error(
        offsetSlot, offsetName, "\(size) bytes at offset \(offset)",
        expected: "a place in the file of \(fileSize) bytes")
    }
    return start..<start + count
  }
}
