/// A raw photograph with two JPEGs in it, built as Nikon's NEF is: a first directory that names the maker, and two below it.
package enum RawFile {
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
}
