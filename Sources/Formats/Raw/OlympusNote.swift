/// What Olympus and OM System write for themselves into the EXIF data of a photograph: directories of their own, which say
/// where the preview of an ORF lies.
struct OlympusNote {
  private let first: TIFFDirectories.Directory

  /// - Returns: nil for a file without such a note.
  init?(in bytes: [UInt8], _ file: TIFFDirectories) {
    guard let note = file.first?.directory(Tag.details)?.place(of: Tag.note),
      let directories = Self.directories(in: bytes, note), let first = directories.first
    else { return nil }
    self.first = first
  }

  /// Notes begin with a name. In those of the last twenty years a byte order follows, and places count from the note.
  private static func directories(in bytes: [UInt8], _ note: Range<Int>) -> TIFFDirectories? {
    for name in ["OLYMPUS\0", "OM SYSTEM\0\0\0"] where bytes[note].starts(with: name.utf8) {
      let order = bytes[note].dropFirst(name.utf8.count).prefix(2)
      guard order.elementsEqual("II".utf8) || order.elementsEqual("MM".utf8) else { return nil }
      return TIFFDirectories(
        in: bytes, from: note.lowerBound, at: name.utf8.count + 4, isBigEndian: order.elementsEqual("MM".utf8)
      )
    }
    guard bytes[note].starts(with: "OLYMP\0".utf8) else { return nil }
    return TIFFDirectories(
      in: bytes, from: 0, at: note.lowerBound + 8, isBigEndian: bytes.starts(with: "MM".utf8))
  }

  /// Where it says that pictures lie.
  var pictures: [Range<Int>] {
    let settings = first.directory(Tag.settings)
    return [
      settings?.place(from: Tag.preview, byteCount: Tag.previewByteCount),
      first.place(from: Tag.formerPreview, byteCount: Tag.formerPreviewByteCount),
      first.place(of: Tag.thumbnail),
    ].compactMap(\.self)
  }

  private enum Tag {
    // Of EXIF.
    static let details = 0x8769
    static let note = 0x927C
    // Of the note.
    static let formerPreview = 0x0088
    static let formerPreviewByteCount = 0x0089
    static let thumbnail = 0x0100
    static let settings = 0x2020
    // Of its settings.
    static let preview = 0x0101
    static let previewByteCount = 0x0102
  }
}
