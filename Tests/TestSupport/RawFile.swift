/// Raw files of cameras as small as they can be.
package enum RawFile {
  /// A little-endian TIFF of a Nikon, with two pictures in directories below the first.
  /// - Parameter orientation: of the photograph, as EXIF numbers it.
  package static func nef(_ first: [UInt8], _ second: [UInt8], orientation: UInt32 = 1) -> [UInt8] {
    let jpegs = 138
    var bytes: [UInt8] = Array("II*\0".utf8) + little(8)
    bytes += directory([(254, 4, 1, 1), (271, 2, 6, 62), (274, 3, 1, orientation), (330, 4, 2, 70)])
    bytes += Array("NIKON\0\0\0".utf8) + little(78) + little(108)
    bytes += directory([(0x201, 4, 1, UInt32(jpegs)), (0x202, 4, 1, UInt32(first.count))])
    bytes += directory([(0x201, 4, 1, UInt32(jpegs + first.count)), (0x202, 4, 1, UInt32(second.count))])
    return bytes + first + second
  }

  /// A file of Olympus, whose picture the note of its maker has the place of.
  /// - Parameters:
  ///   - head: of the note.
  ///   - type: of the entry that has its settings: a place (4, 13), or bytes (7).
  package static func orf(
    _ jpeg: [UInt8], orientation: UInt32 = 1, head: String = "OLYMPUS\0II\u{3}\0", type: UInt16 = 13
  ) -> [UInt8] {
    let note = 88
    // Places in notes of the first cameras count from the beginning of the file.
    let base = head.hasPrefix("OLYMP\0") ? 0 : note
    let settings = note + head.utf8.count + 18
    let end = settings + 30
    var bytes: [UInt8] = Array("IIRO".utf8) + little(8)
    bytes += directory([(0x0112, 3, 1, orientation), (0x8769, 4, 1, 38)])
    bytes += directory([(0x9003, 2, 20, 68), (0x927C, 7, UInt32(end - note), UInt32(note))])
    bytes += Array("2019:06:07 08:09:10\0".utf8) + Array(head.utf8)
    bytes += directory([(0x2020, type, type == 7 ? 30 : 1, UInt32(settings - base))])
    bytes += directory([(0x0101, 4, 1, UInt32(end - base)), (0x0102, 4, 1, UInt32(jpeg.count))])
    return bytes + jpeg
  }

  /// A file of Canon in boxes, with a thumbnail and a preview.
  package static func cr3(_ thumbnail: [UInt8], _ preview: [UInt8], orientation: UInt32 = 1) -> [UInt8] {
    let head = Array("II*\0".utf8) + little(8)
    let picture = head + directory([(0x0110, 2, 4, 0x0035_3652), (0x0112, 3, 1, orientation)])
    let details = head + directory([(0x9003, 2, 20, 26)]) + Array("2019:06:07 08:09:10\0".utf8)
    let angles = [48, 8, 0, 11, 30, 0].flatMap { little($0) + little(1) }
    let place =
      head + directory([(1, 2, 2, 0x4E), (2, 5, 3, 62), (3, 2, 2, 0x45), (4, 5, 3, 86)]) + angles
    let own = [0x85C0_B687, 0x820F_11E0, 0x8111_F4CE, 0x462B_6A48].flatMap { big($0) }
    let previews = [0xEAF4_2B5E, 0x1C98_4B88, 0xB9FB_B7DC, 0x406E_4D16].flatMap { big($0) }
    let parts =
      box("CMT1", picture) + box("CMT2", details) + box("CMT4", place)
      + box("THMB", numbers(16) + thumbnail)
    return box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8)) + box("moov", box("uuid", own + parts))
      + box("uuid", previews + numbers(8) + box("PRVW", numbers(16) + preview)) + box("mdat", numbers(9))
  }

  private static func numbers(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt32(8 + content.count)) + Array(kind.utf8) + content
  }

  private static func directory(_ entries: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)])
    -> [UInt8]
  {
    let count = UInt16(entries.count)
    return [UInt8(truncatingIfNeeded: count), 0]
      + entries.flatMap { entry in
        [entry.tag, entry.type].flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
          + little(entry.count) + little(entry.value)
      } + little(0)
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  private static func big(_ number: UInt32) -> [UInt8] { little(number).reversed() }
}
