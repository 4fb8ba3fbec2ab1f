import GRDB
import Kernels
import TensorCore

/// The files of groups, read whole before any is offered for removal: size, time and inode of a file can stay while its
/// bytes become others, of the one to keep as of a copy.
struct OfferedFiles {
  /// Reads a file of so many bytes; nil where it cannot be read, or has more.
  typealias Reader = (_ path: String, _ byteCount: Int) -> [UInt8]?

  static func fromDisk(_ path: String, _ byteCount: Int) -> [UInt8]? {
    try? FileBytes.read(path, limit: byteCount)
  }

  private let read: Reader
  private let key: (Int64) throws(ApusError) -> ContentKey?
  private var sound: Set<ExactText> = []
  /// Paths of files that cannot be read, or have other bytes than the index says.
  private(set) var unsound: [String] = []

  /// - Parameter key: the bytes of a content, as the index knows them; nil where it knows no such content.
  init(reading read: @escaping Reader, key: @escaping (Int64) throws(ApusError) -> ContentKey?) {
    (self.read, self.key) = (read, key)
  }

  /// The groups whose files are all sound. Where some are not, groups are formed anew without them.
  /// - Parameter grouped: the groups of some pictures.
  mutating func groups(
    of pictures: [ComparedPicture], _ grouped: ([ComparedPicture]) throws(ApusError) -> [DuplicateGroup]
  ) throws(ApusError) -> [DuplicateGroup] {
    var pictures = pictures
    while true {
      let groups = try grouped(pictures)
      var lost: [String] = []
      for group in groups { lost += try unsoundFiles(of: group) }
      guard !lost.isEmpty else { return groups }
      unsound += lost
      let gone = Set(lost.map { ExactText($0) })
      pictures = pictures.compactMap { $0.without(gone) }
    }
  }

  /// The paths of the best file if it is not sound; otherwise of all others that are not.
  private mutating func unsoundFiles(of group: DuplicateGroup) throws(ApusError) -> [String] {
    guard !group.members.allSatisfy({ $0.files.allSatisfy(isKnown) }) else { return [] }
    guard let best = group.members.first, let kept = best.files.first else { return [] }
    guard let bytes = try bytes(of: kept, in: best.content) else { return kept }
    var lost: [String] = []
    for (place, member) in group.members.enumerated() {
      for file in member.files.dropFirst(place == 0 ? 1 : 0) where !isKnown(file) {
        let found = try self.bytes(of: file, in: member.content)
        // Copies are compared by their bytes, not by digests alone.
        let isSound = member.content == best.content ? found == bytes : found != nil
        if isSound { remember(file) } else { lost += file }
      }
    }
    remember(kept)
    return lost
  }

  /// - Parameter file: the paths of one file.
  private func isKnown(_ file: [String]) -> Bool { file.first.map { sound.contains(ExactText($0)) } ?? true }

  private mutating func remember(_ file: [String]) {
    if let path = file.first { sound.insert(ExactText(path)) }
  }

  /// The bytes of a file; nil if they changed since it was indexed, or cannot be read.
  private func bytes(of file: [String], in content: Int64) throws(ApusError) -> [UInt8]? {
    guard let path = file.first, let indexed = try key(content), let bytes = read(path, indexed.byteCount),
      ContentKey(bytes) == indexed
    else { return nil }
    return bytes
  }
}

extension ComparedPicture {
  /// The picture without some of its files; nil where none is left.
  fileprivate func without(_ paths: Set<ExactText>) -> ComparedPicture? {
    let left = files.filter { !paths.contains(ExactText($0.path)) }
    guard left.count < files.count else { return self }
    guard !left.isEmpty else { return nil }
    return ComparedPicture(
      content: content, files: left, width: width, height: height, byteCount: byteCount, hash: hash,
      takenAt: takenAt)
  }
}

extension ContentKey {
  /// The bytes of the content with an id; nil where there is none.
  static func find(_ content: Int64, in database: Database) throws -> ContentKey? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT digest, bytes FROM content WHERE id = ?"), arguments: [content])
    guard let row, let digest = ContentDigest(try row.at(0)) else { return nil }
    return ContentKey(digest: digest, byteCount: try row.at(1))
  }
}
