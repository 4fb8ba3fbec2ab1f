/// The JPEG pictures in raw files of cameras: those that are built as TIFF is (NEF, CR2, ARW, DNG, PEF and others; RW2 but for
/// one number), and RAF.
///
/// No number of a file is trusted: what it points at is looked at only inside the file, and each directory once.
package enum RawContainer {
  /// The picture with the most pixels, then bytes; nil where there is none.
  package static func largestJPEG(in bytes: [UInt8]) -> EmbeddedJPEG? {
    pictures(in: bytes).max { first, second in
      let (one, other) = (first.width * first.height, second.width * second.height)
      return one == other ? first.range.count < second.range.count : one < other
    }
  }

  private static func pictures(in bytes: [UInt8]) -> [EmbeddedJPEG] {
    if bytes.starts(with: "FUJIFILMCCD-RAW".utf8) { return fuji(bytes) }
    guard let file = TIFFDirectories(bytes) else { return [] }
    let orientation = file.first?.integers(Tag.orientation).first
    return file.flatMap { pictures(in: bytes, $0, orientation) }
  }

  /// The header of a RAF says where its JPEG lies.
  private static func fuji(_ bytes: [UInt8]) -> [EmbeddedJPEG] {
    guard bytes.count >= 92 else { return [] }
    let numbers = [84, 88].map { place in bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return EmbeddedJPEG(in: bytes, at: numbers[0], byteCount: numbers[1]).map { [$0] } ?? []
  }

  private static func pictures(
    in bytes: [UInt8], _ directory: TIFFDirectories.Directory, _ orientation: Int?
  ) -> [EmbeddedJPEG] {
    let places = [
      (directory.integers(Tag.jpeg).first, directory.integers(Tag.jpegByteCount).first),
      strip(directory),
      (directory.place(of: Tag.panasonicJPEG)?.lowerBound, directory.place(of: Tag.panasonicJPEG)?.count),
    ]
    return places.compactMap { start, count in
      guard let start, let count else { return nil }
      return EmbeddedJPEG(in: bytes, at: start, byteCount: count, orientation: orientation)
    }
  }

  /// A picture in one strip that is compressed as JPEG.
  private static func strip(_ directory: TIFFDirectories.Directory) -> (Int?, Int?) {
    guard let compression = directory.integers(Tag.compression).first, [6, 7, 34892].contains(compression)
    else { return (nil, nil) }
    let (starts, counts) = (directory.integers(Tag.stripStarts), directory.integers(Tag.stripByteCounts))
    return starts.count == 1 && counts.count == 1 ? (starts[0], counts[0]) : (nil, nil)
  }

  /// Tags of TIFF 6.0, and of Panasonic's files.
  private enum Tag {
    static let panasonicJPEG = 0x002E
    static let compression = 0x0103
    static let stripStarts = 0x0111
    static let orientation = 0x0112
    static let stripByteCounts = 0x0117
    static let jpeg = 0x0201
    static let jpegByteCount = 0x0202
  }
}
