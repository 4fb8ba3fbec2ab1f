/// The JPEG pictures in raw files of cameras: those that are built as TIFF is (NEF, CR2, ARW, DNG, PEF and others; RW2 and ORF
/// but for one number), RAF and CR3.
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
    if let boxes = CanonBoxes(bytes) {
      let orientation = boxes.picture.flatMap { TIFFDirectories(Array(bytes[$0]))?.first }.flatMap(
        orientation)
      return pictures(in: bytes, at: boxes.pictures, orientation)
    }
    guard let file = TIFFDirectories(bytes) else { return [] }
    let places = file.flatMap(places) + (OlympusNote(in: bytes, file)?.pictures ?? [])
    return pictures(in: bytes, at: places, file.first.flatMap(orientation))
  }

  private static func orientation(_ first: TIFFDirectories.Directory) -> Int? {
    first.integers(Tag.orientation).first
  }

  /// Those among places that have a JPEG.
  private static func pictures(in bytes: [UInt8], at places: [Range<Int>], _ orientation: Int?)
    -> [EmbeddedJPEG]
  {
    places.compactMap {
      EmbeddedJPEG(in: bytes, at: $0.lowerBound, byteCount: $0.count, orientation: orientation)
    }
  }

  /// The header of a RAF says where its JPEG lies.
  private static func fuji(_ bytes: [UInt8]) -> [EmbeddedJPEG] {
    guard bytes.count >= 92 else { return [] }
    let numbers = [84, 88].map { place in bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return EmbeddedJPEG(in: bytes, at: numbers[0], byteCount: numbers[1]).map { [$0] } ?? []
  }

  /// Where a directory says that pictures lie.
  private static func places(_ directory: TIFFDirectories.Directory) -> [Range<Int>] {
    [
      directory.place(from: Tag.jpeg, byteCount: Tag.jpegByteCount), strip(directory),
      directory.place(of: Tag.panasonicJPEG),
    ].compactMap(\.self)
  }

  /// A picture in one strip that is compressed as JPEG.
  private static func strip(_ directory: TIFFDirectories.Directory) -> Range<Int>? {
    guard let compression = directory.integers(Tag.compression).first, [6, 7, 34892].contains(compression),
      directory.integers(Tag.stripStarts).count == 1, directory.integers(Tag.stripByteCounts).count == 1
    else { return nil }
    return directory.place(from: Tag.stripStarts, byteCount: Tag.stripByteCounts)
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
