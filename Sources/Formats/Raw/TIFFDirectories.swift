/// The directories of a file that is built as TIFF is: the first, those that follow each other, and those below them.
struct TIFFDirectories: Sequence {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  /// What places in it count from.
  private let base: Int
  private let start: Int

  /// - Returns: nil for bytes that do not begin as those of a TIFF, an RW2 or an ORF do.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8, bytes[0] == bytes[1], [UInt8(ascii: "I"), UInt8(ascii: "M")].contains(bytes[0])
    else { return nil }
    self.bytes = bytes
    isBigEndian = bytes[0] == UInt8(ascii: "M")
    base = 0
    guard let magic = Self.number(bytes, at: 2, byteCount: 2, isBigEndian), Self.formats.contains(magic),
      let start = Self.number(bytes, at: 4, byteCount: 4, isBigEndian)
    else { return nil }
    self.start = start
  }

  /// Directories within a file, as makers of cameras have them.
  /// - Parameters:
  ///   - base: what their places count from.
  ///   - start: where the first begins.
  init(in bytes: [UInt8], from base: Int, at start: Int, isBigEndian: Bool) {
    (self.bytes, self.base, self.start, self.isBigEndian) = (bytes, base, start, isBigEndian)
  }

  /// What stands for the format: TIFF, RW2, and the letters RO and RS of an ORF.
  private static let formats = [42, 0x55, 0x4F52, 0x5352]

  var first: Directory? { Directory(self, at: start) }

  /// More than any camera writes.
  private static let most = 64

  func makeIterator() -> AnyIterator<Directory> {
    var (pending, seen): ([Int], Set<Int>) = ([start], [])
    return AnyIterator {
      while seen.count < Self.most, let place = pending.popLast() {
        guard seen.insert(place).inserted, let directory = Directory(self, at: place) else { continue }
        pending += directory.integers(330) + [directory.next].compactMap(\.self)
        return directory
      }
      return nil
    }
  }

  private func number(at place: Int, byteCount: Int) -> Int? {
    Self.number(bytes, at: base + place, byteCount: byteCount, isBigEndian)
  }

  /// An unsigned number of up to 4 bytes; nil where it is not in the file.
  private static func number(_ bytes: [UInt8], at place: Int, byteCount: Int, _ isBigEndian: Bool) -> Int? {
    guard place >= 0, place <= bytes.count, byteCount <= bytes.count - place else { return nil }
    let part = bytes[place..<(place + byteCount)]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension TIFFDirectories {
  struct Directory {
    private let file: TIFFDirectories
    private let start, count: Int

    fileprivate init?(_ file: TIFFDirectories, at place: Int) {
      // A camera writes some hundred entries.
      guard let count = file.number(at: place, byteCount: 2), (1...1000).contains(count) else { return nil }
      (self.file, start, self.count) = (file, place + 2, count)
    }

    /// Where the one that follows begins; nil where none does.
    fileprivate var next: Int? {
      file.number(at: start + count * 12, byteCount: 4).flatMap { $0 == 0 ? nil : $0 }
    }

    /// The first 64 integers of a tag; none where it has none, or they are not all in the file.
    func integers(_ tag: Int) -> [Int] {
      guard let entry = entry(tag), let size = [3: 2, 4: 4, 13: 4][entry.type], (1...64).contains(entry.count)
      else { return [] }
      let place = entry.count * size <= 4 ? entry.field : file.number(at: entry.field, byteCount: 4) ?? .max
      guard place <= file.bytes.count else { return [] }
      let values = (0..<entry.count).compactMap { file.number(at: place + $0 * size, byteCount: size) }
      return values.count == entry.count ? values : []
    }

    /// Where the bytes of a tag lie, from the beginning of all bytes.
    func place(of tag: Int) -> Range<Int>? {
      guard let entry = entry(tag), [1, 7].contains(entry.type), entry.count > 4,
        let offset = file.number(at: entry.field, byteCount: 4)
      else { return nil }
      let place = file.base + offset
      guard place <= file.bytes.count, entry.count <= file.bytes.count - place else { return nil }
      return place..<(place + entry.count)
    }

    /// Where the bytes lie whose beginning one tag has, and whose number another; they may end behind the file.
    func place(from start: Int, byteCount: Int) -> Range<Int>? {
      guard let start = integers(start).first, let count = integers(byteCount).first else { return nil }
      return (file.base + start)..<(file.base + start + count)
    }

    /// The directory that a tag has the place of, or as its bytes.
    func directory(_ tag: Int) -> Directory? {
      let place = integers(tag).first ?? place(of: tag).map { $0.lowerBound - file.base }
      return place.flatMap { Directory(file, at: $0) }
    }

    private func entry(_ tag: Int) -> (type: Int, count: Int, field: Int)? {
      for index in 0..<count {
        let place = start + index * 12
        guard let found = file.number(at: place, byteCount: 2) else { return nil }
        guard found == tag else { continue }
        guard let type = file.number(at: place + 2, byteCount: 2),
          let count = file.number(at: place + 4, byteCount: 4)
        else { return nil }
        return (type, count, place + 8)
      }
      return nil
    }
  }
}
