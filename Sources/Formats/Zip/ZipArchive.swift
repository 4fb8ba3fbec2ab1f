import TensorCore

/// A zip archive at the end of a file, such as the labels appended to a `.tflite` file.
///
/// Stored and deflated entries are read; encrypted, split and zip64 archives are refused. Format: PKWARE's
/// APPNOTE.TXT.
package struct ZipArchive<Bytes: RandomAccessCollection<UInt8> & Sendable>: Sendable
where Bytes.Index == Int {
  /// A file of the archive.
  package struct Entry: Sendable, Equatable {
    package let name: String
    /// Bytes once unpacked.
    package let byteCount: Int
    let method: Int
    let isEncrypted: Bool
    let checksum: UInt32
    let compressedByteCount: Int
    /// Where the local header lies in the file.
    let headerPosition: Int
  }

  package let entries: [Entry]
  let bytes: Bytes

  private static var endRecordSize: Int { 22 }

  /// The archive that ends the file, or nil when none does.
  /// - Throws: ``ApusError`` of kind `malformedModel` when there is one and its directory is wrong.
  package static func atEnd(of bytes: Bytes) throws(ApusError) -> ZipArchive? {
    // The end record is last but for a comment of at most 65 535 bytes, whose length it states.
    let lowest = max(0, bytes.count - endRecordSize - 0xFFFF)
    var position = bytes.count - endRecordSize
    while position >= lowest {
      if bytes[position] == 0x50, uint32(bytes, position) == 0x0605_4B50,
        position + endRecordSize + uint16(bytes, position + 20) == bytes.count
      {
        return try ZipArchive(bytes, endRecord: position)
      }
      position -= 1
    }
    return nil
  }

  private init(_ bytes: Bytes, endRecord end: Int) throws(ApusError) {
    let count = Self.uint16(bytes, end + 10)
    let size = Int(Self.uint32(bytes, end + 12))
    let offset = Int(Self.uint32(bytes, end + 16))
    guard Self.uint16(bytes, end + 4) == 0, Self.uint16(bytes, end + 8) == count, count != 0xFFFF else {
      throw Self.error("an archive in parts, or of more than 65 534 files", at: end)
    }
    // What stands before the archive may or may not be counted in its offsets.
    let prefix = end - size - offset
    guard size <= end, prefix >= 0 else {
      throw Self.error(
        "a directory of \(size) bytes at offset \(offset)", expected: "one before its end record", at: end)
    }
    var position = end - size
    var entries: [Entry] = []
    for _ in 0..<count {
      guard position + 46 <= end, Self.uint32(bytes, position) == 0x0201_4B50 else {
        throw Self.error("entry \(entries.count) of \(count) is missing", at: position)
      }
      let nameCount = Self.uint16(bytes, position + 28)
      let next =
        position + 46 + nameCount + Self.uint16(bytes, position + 30) + Self.uint16(bytes, position + 32)
      guard next <= end else {
        throw Self.error("entry \(entries.count) reaches past the directory", at: position)
      }
      entries.append(
        Entry(
          name: String(decoding: bytes[position + 46..<position + 46 + nameCount], as: UTF8.self),
          byteCount: Int(Self.uint32(bytes, position + 24)), method: Self.uint16(bytes, position + 10),
          isEncrypted: Self.uint16(bytes, position + 8) & 1 != 0, checksum: Self.uint32(bytes, position + 16),
          compressedByteCount: Int(Self.uint32(bytes, position + 20)),
          headerPosition: prefix + Int(Self.uint32(bytes, position + 42))))
      position = next
    }
    self.bytes = bytes
    self.entries = entries
  }

  /// The unpacked bytes of the file with a name.
  /// - Parameter limit: the largest size accepted, in bytes.
  /// - Throws: ``ApusError`` when there is no such file, it is over the limit, or its bytes are damaged.
  package func contents(of name: String, limit: Int = 1 << 26) throws(ApusError) -> [UInt8] {
    guard let entry = entries.first(where: { ExactText($0.name) == ExactText(name) }) else {
      throw Self.error(
        "no file '\(name.clipped)'", expected: "one of \(entries.prefix(20).map(\.name.clipped))")
    }
    do {
      return try contents(entry, limit: limit)
    } catch {
      throw error.at("'\(name.clipped)'")
    }
  }

  private func contents(_ entry: Entry, limit: Int) throws(ApusError) -> [UInt8] {
    let header = entry.headerPosition
    guard !entry.isEncrypted else { throw Self.error("the file is encrypted", at: header) }
    guard entry.byteCount <= limit else {
      throw Self.error("\(entry.byteCount) bytes unpacked", expected: "at most \(limit)", at: header)
    }
    guard header <= bytes.count - 30, Self.uint32(bytes, header) == 0x0403_4B50 else {
      throw Self.error("no local header", at: header)
    }
    let start = header + 30 + Self.uint16(bytes, header + 26) + Self.uint16(bytes, header + 28)
    guard start <= bytes.count, entry.compressedByteCount <= bytes.count - start else {
      throw Self.error("\(entry.compressedByteCount) bytes reach past the end of the file", at: start)
    }
    let packed = bytes[start..<start + entry.compressedByteCount]
    let contents: [UInt8]
    switch entry.method {
    case 0: contents = Array(packed)
    case 8: contents = try Inflate.inflate(Array(packed)[...], limit: entry.byteCount)
    default:
      throw Self.error(
        "compression method \(entry.method)", expected: "stored (0) or deflated (8)", at: header)
    }
    guard contents.count == entry.byteCount else {
      throw Self.error("\(contents.count) bytes unpacked", expected: "\(entry.byteCount)", at: header)
    }
    let checksum = CRC32.checksum(contents)
    guard checksum == entry.checksum else {
      throw Self.error("checksum \(checksum)", expected: "\(entry.checksum)", at: header)
    }
    return contents
  }

  private static func uint16(_ bytes: Bytes, _ position: Int) -> Int {
    Int(bytes[position]) | Int(bytes[position + 1]) << 8
  }

  private static func uint32(_ bytes: Bytes, _ position: Int) -> UInt32 {
    UInt32(uint16(bytes, position)) | UInt32(uint16(bytes, position + 2)) << 16
  }

  private static func error(_ problem: String, expected: String? = nil, at position: Int? = nil) -> ApusError
  {
    let place = position.map { ", offset \($0)" } ?? ""
    return ApusError(.malformedModel, problem, expected: expected, at: "appended zip archive\(place)")
  }
}
