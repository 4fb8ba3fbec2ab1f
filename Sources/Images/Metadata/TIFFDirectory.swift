/// A directory of a TIFF file, or of EXIF data, which is such a file without a picture.
///
/// It has entries of 12 bytes: a tag, a type, a number of values, and the values themselves, or their offset where they
/// take more than four bytes. No number in it is trusted, and nothing is read before it is asked for. Only what an entry
/// names is followed, so that directories that point at each other do no harm.
struct TIFFDirectory {
  private let bytes: UnsafeRawBufferPointer
  private let isBigEndian: Bool
  /// Where the entries begin, and how many there should be.
  private let start, count: Int

  /// The first directory of a file, which stays alive; nil when the bytes do not begin as those of a TIFF do.
  init?(in bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8, bytes[0] == bytes[1] else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "I"): isBigEndian = false
    case UInt8(ascii: "M"): isBigEndian = true
    default: return nil
    }
    self.bytes = bytes
    guard Self.formats.contains([bytes[2], bytes[3]]),
      let offset = Self.number(in: bytes, at: 4, byteCount: 4, isBigEndian),
      let count = Self.number(in: bytes, at: offset, byteCount: 2, isBigEndian)
    else { return nil }
    (start, self.count) = (offset + 2, count)
  }

  /// What stands for the format. Some programs write that of TIFF in the other byte order; raw files of Panasonic and Olympus
  /// are TIFFs but for theirs.
  private static let formats: Set<[UInt8]> = [
    [42, 0], [0, 42], [0x55, 0], Array("RO".utf8), Array("RS".utf8), Array("OR".utf8),
  ]

  private init?(_ parent: TIFFDirectory, at offset: Int) {
    guard let count = parent.number(at: offset, byteCount: 2) else { return nil }
    (bytes, isBigEndian, start, self.count) = (parent.bytes, parent.isBigEndian, offset + 2, count)
  }

  /// Whether there is an entry of a tag, all of whose values are in the file.
  func has(_ tag: Int) -> Bool { entry(tag) != nil }

  /// Whether another directory follows.
  var hasNext: Bool { number(at: start + count * 12, byteCount: 4).map { $0 != 0 } ?? false }

  /// The directory that an entry has the offset of.
  func directory(_ tag: Int) -> TIFFDirectory? {
    integer(tag).flatMap { TIFFDirectory(self, at: $0) }
  }

  /// The first of the integers of 16 or 32 bits that stand in the entry itself.
  func integer(_ tag: Int) -> Int? {
    guard let entry = entry(tag), entry.count > 0, entry.byteCount <= 4 else { return nil }
    return switch entry.type {
    case .short, .long, .directory: number(at: entry.place, byteCount: entry.type.byteCount)
    default: nil
    }
  }

  /// The first of the bytes of an entry.
  func byte(_ tag: Int) -> UInt8? {
    guard let entry = entry(tag), entry.count > 0, entry.type == .byte || entry.type == .undefined else {
      return nil
    }
    return bytes[entry.place]
  }

  /// The bytes of an entry, all of them.
  func bytes(_ tag: Int) -> Slice<UnsafeRawBufferPointer>? {
    guard let entry = entry(tag), entry.type == .byte || entry.type == .undefined else { return nil }
    return bytes[entry.place..<(entry.place + entry.byteCount)]
  }

  /// Numbers, three at most.
  /// - Returns: nil when there is none, or one has no value, as its denominator is zero.
  func numbers(_ tag: Int) -> [Double]? {
    guard let entry = entry(tag), (1...3).contains(entry.count) else { return nil }
    var values: [Double] = []
    for index in 0..<entry.count {
      guard let value = value(of: entry, index), value.isFinite else { return nil }
      values.append(value)
    }
    return values
  }

  private func value(of entry: Entry, _ index: Int) -> Double? {
    let size = entry.type.byteCount
    let place = entry.place + index * size
    guard let top = number(at: place, byteCount: min(size, 4)) else { return nil }
    switch entry.type {
    case .short, .long: return Double(top)
    case .fraction: return number(at: place + 4, byteCount: 4).map { Double(top) / Double($0) }
    case .signedFraction:
      return number(at: place + 4, byteCount: 4).map {
        Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: $0))
      }
    default: return nil
    }
  }

  /// Text up to the first zero byte, without space around it and without control characters. What is not UTF-8 is taken
  /// as Latin-1.
  /// - Returns: nil when nothing is left of it, or it is longer than ``longestText``.
  func text(_ tag: Int) -> String? {
    guard let entry = entry(tag), [.text, .utf8, .undefined].contains(entry.type) else { return nil }
    let content = bytes[entry.place..<(entry.place + entry.byteCount)].prefix { $0 != 0 }
    guard content.count <= Self.longestText else { return nil }
    let text =
      String(validating: content, as: UTF8.self)
      ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    let printed = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let trimmed = String(String.UnicodeScalarView(printed)).trimmed
    return trimmed.isEmpty ? nil : trimmed
  }

  /// The most bytes that a text may have; the names of cameras and lenses have a few dozen.
  private static let longestText = 1024

  /// The types of values, by their numbers in the format; there are others, of which nothing here is made.
  private enum ValueType: Int {
    case byte = 1
    case text = 2
    case short = 3
    case long = 4
    case fraction = 5
    case undefined = 7
    case signedFraction = 10
    case directory = 13
    case utf8 = 129

    var byteCount: Int {
      switch self {
      case .byte, .text, .undefined, .utf8: 1
      case .short: 2
      case .long, .directory: 4
      case .fraction, .signedFraction: 8
      }
    }
  }

  /// An entry whose values are all in the file.
  private struct Entry {
    let type: ValueType
    let count: Int
    /// Where the first value is.
    let place: Int
    var byteCount: Int { count * type.byteCount }
  }

  /// The first entry of a tag.
  private func entry(_ tag: Int) -> Entry? {
    for index in 0..<count {
      let offset = start + index * 12
      guard let found = number(at: offset, byteCount: 2) else { return nil }
      guard found == tag else { continue }
      guard let type = number(at: offset + 2, byteCount: 2).flatMap(ValueType.init),
        let count = number(at: offset + 4, byteCount: 4), let value = number(at: offset + 8, byteCount: 4)
      else { return nil }
      // 32 bits by 8 cannot overflow.
      let isInside = count * type.byteCount <= 4
      let entry = Entry(type: type, count: count, place: isInside ? offset + 8 : value)
      guard entry.place <= bytes.count, entry.byteCount <= bytes.count - entry.place else { return nil }
      return entry
    }
    return nil
  }

  private func number(at offset: Int, byteCount: Int) -> Int? {
    Self.number(in: bytes, at: offset, byteCount: byteCount, isBigEndian)
  }

  /// An unsigned number; nil when it is not in the file.
  private static func number(
    in bytes: UnsafeRawBufferPointer, at offset: Int, byteCount: Int, _ isBigEndian: Bool
  ) -> Int? {
    guard offset >= 0, byteCount <= bytes.count, offset <= bytes.count - byteCount else { return nil }
    let part = bytes[offset..<(offset + byteCount)]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
