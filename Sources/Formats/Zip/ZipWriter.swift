import TensorCore

/// Writes zip archives of files that are stored as they are. Format: PKWARE's APPNOTE.TXT.
package enum ZipWriter {
  /// The archive, whose offsets count from its own start: it may stand behind something else.
  /// - Throws: ``ApusError`` of kind `argument` when names or sizes do not fit the format's fields.
  package static func archive(_ files: [(name: String, contents: [UInt8])]) throws(ApusError) -> [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for (name, contents) in files {
      let name = Array(name.utf8)
      guard name.count <= 0xFFFF, contents.count <= 0x7FFF_FFFF, bytes.count <= 0x7FFF_FFFF,
        files.count < 0xFFFF
      else { throw ApusError(.argument, "files too large or too many for a zip archive") }
      let common = common(name, contents)
      let position = UInt32(bytes.count)
      bytes += (0x0403_4B50 as UInt32).littleEndianBytes + common + name + contents
      directory += (0x0201_4B50 as UInt32).littleEndianBytes + version + common
      // No comment, disk 0, no attributes.
      directory += [UInt8](repeating: 0, count: 10) + position.littleEndianBytes + name
    }
    let count = UInt16(files.count).littleEndianBytes
    let end = (0x0605_4B50 as UInt32).littleEndianBytes + [0, 0, 0, 0] + count + count
    let place = UInt32(directory.count).littleEndianBytes + UInt32(bytes.count).littleEndianBytes
    return bytes + directory + end + place + [0, 0]
  }

  /// Version 2.0 of the format.
  private static let version: [UInt8] = [20, 0]

  /// What local header and directory have alike: version, UTF-8 names, no compression, the earliest date, checksum,
  /// sizes, and lengths of the name and of nothing else.
  private static func common(_ name: [UInt8], _ contents: [UInt8]) -> [UInt8] {
    let size = UInt32(contents.count).littleEndianBytes
    let date: [UInt8] = [0, 0, 0x21, 0]
    return version + [0, 8, 0, 0] + date + CRC32.checksum(contents).littleEndianBytes + size + size
      + UInt16(name.count).littleEndianBytes + [0, 0]
  }
}
