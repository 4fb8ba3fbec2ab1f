import TensorCore

/// A zip archive at the end of a file, such as the labels appended to a `.tflite` file; or one that is a file itself.
///
/// Stored and deflated entries are read, zip64's too; encrypted and split archives are refused. Format: PKWARE's
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
  /// What errors call it.
  private let label: String

  private static var endRecordSize: Int { 22 }

  /// The archive that ends the file, or nil when none does.
  /// - Parameter label: what errors call it.
  /// - Throws: ``ApusError`` of kind `malformedModel` when there is one and its directory is wrong.
  package static func atEnd(
    of bytes: Bytes, called label: String = "appended zip archive"
  ) throws(ApusError) -> ZipArchive? {
    // The end record is last but for a comment of at most 65 535 bytes, whose length it states.
    let lowest = max(0, bytes.count - endRecordSize - 0xFFFF)
    var position = bytes.count - endRecordSize
    while position >= lowest {
      if bytes[position] == 0x50, uint32(bytes, position) == 0x0605_4B50,
        position + endRecordSize + uint16(bytes, position + 20) == bytes.count
      {
        do {
          return try ZipArchive(bytes, ZipDirectory(bytes, endRecord: position), label)
        } catch {
          throw error.at(label)
        }
      }
      position -= 1
    }
    return nil
  }

  private init(_ bytes: Bytes, _ directory: ZipDirectory, _ label: String) throws(ApusError) {
    let end = directory.start + directory.byteCount
    var position = directory.start
    var entries: [Entry] = []
    for _ in 0..<directory.entryCount {
      guard position + 46 <= end, Self.uint32(bytes, position) == 0x0201_4B50 else {
        throw Self.error("entry \(entries.count) of \(directory.entryCount) is missing", at: position)
      }
      let nameCount = Self.uint16(bytes, position + 28)
      let extraCount = Self.uint16(bytes, position + 30)
      let next = position + 46 + nameCount + extraCount + Self.uint16(bytes, position + 32)
      guard next <= end else {
        throw Self.error("entry \(entries.count) reaches past the directory", at: position)
      }
      let name = position + 46..<position + 46 + nameCount
      let numbers = try ZipDirectory.numbers(
        bytes, of: position, extra: name.upperBound..<name.upperBound + extraCount)
      let (header, overflow) = numbers.headerOffset.addingReportingOverflow(directory.prefix)
      guard !overflow else { throw Self.error("entry \(entries.count) lies nowhere", at: position) }
      entries.append(
        Entry(
          name: String(decoding: Array(bytes[name]), as: UTF8.self), byteCount: numbers.byteCount,
          method: Self.uint16(bytes, position + 10), isEncrypted: Self.uint16(bytes, position + 8) & 1 != 0,
          checksum: Self.uint32(bytes, position + 16), compressedByteCount: numbers.compressedByteCount,
          headerPosition: header))
      position = next
    }
    self.bytes = bytes
    self.label = label
    self.entries = entries
  }

  /// The unpacked bytes of the file with a name.
  /// - Parameter limit: the largest size accepted, in bytes.
  /// - Throws: ``ApusError`` when there is no such file, it is over the limit, or its bytes are damaged.
  package func contents(of name: String, limit: Int = 1 << 26) throws(ApusError) -> [UInt8] {
    guard let entry = entries.first(where: { ExactText($0.name) == ExactText(name) }) else {
      throw Self.error(
        "no file '\(name.clipped)'", expected: "one of \(entries.prefix(20).map(\.name.clipped))"
      ).at(label)
    }
    do {
      return try contents(entry, limit: limit)
    } catch {
      throw error.at(label).at("'\(name.clipped)'")
    }
  }

  /// Where the bytes of a file lie that is stored as it is. They are not checked against its checksum.
  /// - Throws: ``ApusError`` when it is packed, or reaches past the archive.
  package func storedRange(of entry: Entry) throws(ApusError) -> Range<Int> {
    do throws(ApusError) {
      let range = try packedRange(entry)
      guard entry.method == 0, entry.byteCount == range.count else {
        throw Self.error(
          "compression method \(entry.method)", expected: "a file that is stored (0)",
          at: entry.headerPosition)
      }
      return range
    } catch {
      throw error.at(label).at("'\(entry.name.clipped)'")
    }
  }

  private func packedRange(_ entry: Entry) throws(ApusError) -> Range<Int> {
    let header = entry.headerPosition
    guard !entry.isEncrypted else { throw Self.error("the file is encrypted", at: header) }
    guard header <= bytes.count - 30, Self.uint32(bytes, header) == 0x0403_4B50 else {
      throw Self.error("no local header", at: header)
    }
    let start = header + 30 + Self.uint16(bytes, header + 26) + Self.uint16(bytes, header + 28)
    guard start <= bytes.count, entry.compressedByteCount <= bytes.count - start else {
      throw Self.error("\(entry.compressedByteCount) bytes reach past the end of the file", at: start)
    }
    return start..<start + entry.compressedByteCount
  }

  private func contents(_ entry: Entry, limit: Int) throws(ApusError) -> [UInt8] {
    let header = entry.headerPosition
    guard entry.byteCount <= limit else {
      throw Self.error("\(entry.byteCount) bytes unpacked", expected: "at most \(limit)", at: header)
    }
    let packed = bytes[try packedRange(entry)]
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

  static func uint16(_ bytes: Bytes, _ position: Int) -> Int {
    Int(bytes[position]) | Int(bytes[position + 1]) << 8
  }

  static func uint32(_ bytes: Bytes, _ position: Int) -> UInt32 {
    UInt32(uint16(bytes, position)) | UInt32(uint16(bytes, position + 2)) << 16
  }

  static func error(_ problem: String, expected: String? = nil, at position: Int? = nil) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: position.map { "offset \($0)" })
  }
}
