import TensorCore

/// Where the directory of a zip archive lies, by the records at the end of the archive.
struct ZipDirectory {
  let start: Int
  let byteCount: Int
  let entryCount: Int
  /// Bytes before the archive that its offsets do not count.
  let prefix: Int

  /// The sizes of a file and the offset of its header, which zip64 has in wider fields behind the name.
  struct Numbers {
    var byteCount: Int
    var compressedByteCount: Int
    var headerOffset: Int
  }

  /// - Parameter end: where the end record begins, which is there in full.
  init<Bytes>(_ bytes: Bytes, endRecord end: Int) throws(ApusError)
  where Bytes: RandomAccessCollection<UInt8> & Sendable, Bytes.Index == Int {
    typealias Archive = ZipArchive<Bytes>
    var count = Archive.uint16(bytes, end + 10)
    var size = Int(Archive.uint32(bytes, end + 12))
    var offset = Int(Archive.uint32(bytes, end + 16))
    var boundary = end
    guard Archive.uint16(bytes, end + 4) == 0, Archive.uint16(bytes, end + 8) == count else {
      throw Archive.error("an archive in parts", expected: "one in a single file", at: end)
    }
    // Zip64 has a record of its own, and before the end record what says where that is.
    if end >= 20, Archive.uint32(bytes, end - 20) == 0x0706_4B50 {
      let record = end - 20 - 56
      guard record >= 0, Archive.uint32(bytes, record) == 0x0606_4B50,
        let wideCount = Int(exactly: Self.uint64(bytes, record + 32)),
        let wideSize = Int(exactly: Self.uint64(bytes, record + 40)),
        let wideOffset = Int(exactly: Self.uint64(bytes, record + 48))
      else {
        throw Archive.error("no zip64 end record", expected: "one before its locator", at: end - 20)
      }
      (count, size, offset, boundary) = (wideCount, wideSize, wideOffset, record)
    } else if count == 0xFFFF {
      throw Archive.error("an archive of more than 65 534 files", expected: "zip64", at: end)
    }
    // What stands before the archive may or may not be counted in its offsets.
    guard size <= boundary, offset <= boundary - size else {
      throw Archive.error(
        "a directory of \(size) bytes at offset \(offset)", expected: "one before its end record", at: end)
    }
    (start, byteCount, entryCount) = (boundary - size, size, count)
    prefix = boundary - size - offset
  }

  /// - Parameters:
  ///   - position: of the entry in the directory, which is there in full.
  ///   - extra: where the fields behind the entry's name lie.
  static func numbers<Bytes>(
    _ bytes: Bytes, of position: Int, extra: Range<Int>
  ) throws(ApusError) -> Numbers where Bytes: RandomAccessCollection<UInt8> & Sendable, Bytes.Index == Int {
    typealias Archive = ZipArchive<Bytes>
    var numbers = Numbers(
      byteCount: Int(Archive.uint32(bytes, position + 24)),
      compressedByteCount: Int(Archive.uint32(bytes, position + 20)),
      headerOffset: Int(Archive.uint32(bytes, position + 42)))
    var field = extra.lowerBound
    while field + 4 <= extra.upperBound {
      let next = field + 4 + Archive.uint16(bytes, field + 2)
      guard next <= extra.upperBound else { break }
      if Archive.uint16(bytes, field) == 1 {
        var place = field + 4
        for path in [\Numbers.byteCount, \Numbers.compressedByteCount, \Numbers.headerOffset]
        where numbers[keyPath: path] == 0xFFFF_FFFF {
          guard place + 8 <= next, let number = Int(exactly: uint64(bytes, place)) else {
            throw Archive.error("no zip64 number", expected: "one for each that is missing", at: field)
          }
          numbers[keyPath: path] = number
          place += 8
        }
      }
      field = next
    }
    return numbers
  }

  private static func uint64<Bytes>(_ bytes: Bytes, _ position: Int) -> UInt64
  where Bytes: RandomAccessCollection<UInt8> & Sendable, Bytes.Index == Int {
    UInt64(ZipArchive<Bytes>.uint32(bytes, position))
      | UInt64(ZipArchive<Bytes>.uint32(bytes, position + 4)) << 32
  }
}
