import CLibrary
import Kernels
import TensorCore

/// A mapped file of packed weights: a header, then sections that begin at pages, then a mark of its end.
///
/// Header, in words of 8 bytes, little-endian: magic number, version of the packing, digest of all that
/// follows in the header (2 words), digest of the kernels' name (2), number of sections, bytes of the origin; for each section
/// its key (2), the digest of its content (2), offset, bytes, columns, depth; the origin. The mark is the header's digest: it tells
/// after each run that the file still has its end, and so all before it. A file cut short inside a page reads as
/// zeros there without a fault.
struct PackedWeightFile: Sendable {
  struct Section {
    let digest: ContentDigest
    let offset: Int
    let byteCount: Int
    let columns: Int
    let depth: Int
  }

  let sections: [ContentDigest: Section]
  let origin: PackedWeightOrigin
  private let file: MappedFile
  private let mark: SIMD2<UInt64>

  /// The lowest digits are the version of this format.
  static let magic: UInt64 = 0x6b70_7375_7061_0004
  private static let headWords = 8
  private static let sectionWords = 8
  private static let pageBytes = 4096
  private static let maximumSections = 1 << 16

  /// - Returns: nil when there is no such file, or it is not one that this version wrote for these kernels.
  init?(_ path: String, kernels: String) {
    guard let file = try? MappedFile(path), file.byteCount >= 8 * (Self.headWords + 2) else { return nil }
    let base = UnsafeRawPointer(file.storage.base)
    let word = { (index: Int) in UInt64(littleEndian: base.load(fromByteOffset: 8 * index, as: UInt64.self)) }
    let count = Int(clamping: word(6))
    guard word(0) == Self.magic, word(1) == PackedMatrix.layoutVersion, count <= Self.maximumSections,
      ContentDigest(words: SIMD2(word(4), word(5))) == Self.digest(kernels)
    else { return nil }
    let originStart = 8 * (Self.headWords + count * Self.sectionWords)
    let mark = SIMD2(word(2), word(3))
    guard originStart <= file.byteCount, Int(clamping: word(7)) <= file.byteCount - originStart,
      Self.hasMark(mark, file)
    else { return nil }
    let head = UnsafeRawBufferPointer(start: base, count: originStart + Int(clamping: word(7)))
    guard ContentDigest(UnsafeRawBufferPointer(rebasing: head[32...])).words == mark,
      let origin = PackedWeightOrigin(head[originStart...])
    else { return nil }
    var sections: [ContentDigest: Section] = [:]
    for index in 0..<count {
      let first = Self.headWords + index * Self.sectionWords
      let numbers = (first + 4..<first + 8).map { Int(clamping: word($0)) }
      guard numbers[0] % Self.pageBytes == 0, numbers[0] <= file.byteCount,
        numbers[1] <= file.byteCount - numbers[0]
      else { return nil }
      sections[ContentDigest(words: SIMD2(word(first), word(first + 1)))] = Section(
        digest: ContentDigest(words: SIMD2(word(first + 2), word(first + 3))), offset: numbers[0],
        byteCount: numbers[1], columns: numbers[2], depth: numbers[3])
    }
    (self.file, self.mark) = (file, mark)
    (self.sections, self.origin) = (sections, origin)
  }

  /// Whether the file has, or had when it was read, fewer bytes than when it was opened.
  var isDamaged: Bool { !Self.hasMark(mark, file) || file.isDamaged }

  private static func hasMark(_ mark: SIMD2<UInt64>, _ file: MappedFile) -> Bool {
    let end = UnsafeRawPointer(file.storage.base) + file.byteCount
    return end.loadUnaligned(fromByteOffset: -16, as: UInt64.self).littleEndian == mark[0]
      && end.loadUnaligned(fromByteOffset: -8, as: UInt64.self).littleEndian == mark[1]
  }

  private static func digest(_ kernels: String) -> ContentDigest {
    var builder = DigestBuilder()
    builder.add(kernels)
    return builder.digest
  }

  /// The bytes of a section, if they have its digest.
  func storage(_ section: Section, threads: Int) -> TensorStorage? {
    file.willNeed(section.offset..<section.offset + section.byteCount)
    let storage = TensorStorage(
      borrowing: file.storage.base + section.offset, byteCount: section.byteCount, from: file)
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: section.byteCount)
    guard ContentDigest(bytes, threads: threads) == section.digest, !isDamaged else { return nil }
    return storage
  }

  /// The digests of those matrices that lie in this file, as they were when they were read.
  func digests(of matrices: [ContentDigest: PackedMatrix]) -> [ContentDigest: ContentDigest] {
    var digests: [ContentDigest: ContentDigest] = [:]
    for (key, section) in sections {
      if let matrix = matrices[key], holds(matrix) { digests[key] = section.digest }
    }
    return digests
  }

  private func holds(_ matrix: PackedMatrix) -> Bool {
    guard let start = matrix.bytes.baseAddress else { return false }
    let base = UnsafeRawPointer(file.storage.base)
    return start >= base && start < base + file.byteCount
  }

  /// Writes all `matrices` to a new file at `path`.
  /// - Parameters:
  ///   - verified: the digests of those that lie in a file, which may have changed since: a digest that is made now would
  ///     certify that.
  ///   - origin: what they were made from.
  ///   - isSound: asked when all are written, whether they were what they should be.
  /// - Returns: whether they were; else there is no new file.
  static func write(
    _ matrices: [ContentDigest: PackedMatrix], verified: [ContentDigest: ContentDigest], to path: String,
    of origin: PackedWeightOrigin, kernels: String, threads: Int, isSound: () -> Bool
  ) throws(ApusError) -> Bool {
    let origin = origin.bytes
    guard matrices.count <= maximumSections else { return false }
    let ordered = matrices.sorted { ($0.key.words[0], $0.key.words[1]) < ($1.key.words[0], $1.key.words[1]) }
    var words: [UInt64] = []
    let kernels = digest(kernels).words
    words += [kernels[0], kernels[1], UInt64(ordered.count), UInt64(origin.count)]
    var offset = headByteCount(sections: ordered.count, origin)
    for (key, matrix) in ordered {
      let content = ContentDigest(matrix.bytes, threads: threads)
      if let known = verified[key], known != content { return false }
      let digest = content.words
      words += [key.words[0], key.words[1], digest[0], digest[1]]
      words += [offset, matrix.byteCount, matrix.columns, matrix.depth].map { UInt64($0) }
      offset += padded(matrix.byteCount)
    }
    let rest = bytes(words) + origin
    let mark = rest.withUnsafeBytes { ContentDigest($0) }.words
    let head = bytes([magic, PackedMatrix.layoutVersion, mark[0], mark[1]]) + rest
    let file = try NewFile(replacing: path)
    try head.span.bytes.withUnsafeBytes { (bytes) throws(ApusError) in try writePadded(bytes, to: file) }
    for (_, matrix) in ordered {
      try writePadded(matrix.bytes, to: file)
      withExtendedLifetime(matrix) {}
    }
    try file.write(bytes([mark[0], mark[1]]))
    guard isSound() else { return false }
    try file.commit()
    return true
  }

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }

  /// Bytes of the file that has `matrices`.
  static func byteCount(of matrices: [ContentDigest: PackedMatrix], _ origin: PackedWeightOrigin) -> Int {
    let head = headByteCount(sections: matrices.count, origin.bytes)
    return matrices.values.reduce(head) { $0 + padded($1.byteCount) } + 8 * 2
  }

  private static func headByteCount(sections: Int, _ origin: [UInt8]) -> Int {
    padded(8 * (headWords + sections * sectionWords) + origin.count)
  }

  private static func padded(_ count: Int) -> Int { (count + pageBytes - 1) / pageBytes * pageBytes }

  private static func writePadded(_ bytes: UnsafeRawBufferPointer, to file: NewFile) throws(ApusError) {
    try file.write(bytes)
    try file.write([UInt8](repeating: 0, count: padded(bytes.count) - bytes.count))
  }
}
