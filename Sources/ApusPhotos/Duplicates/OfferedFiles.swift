import GRDB
import Kernels
import TensorCore

/// The best files of groups, read whole before all others of a group are named: a disk may have lost what the index, and
/// the size and time of the file, still say.
struct BestFiles {
  /// Reads a file of so many bytes; nil where it cannot be read, or has more.
  typealias Reader = (_ path: String, _ byteCount: Int) -> [UInt8]?

  static func fromDisk(_ path: String, _ byteCount: Int) -> [UInt8]? {
    try? FileBytes.read(path, limit: byteCount)
  }

  private let read: Reader
  private let key: (Int64) throws(ApusError) -> ContentKey?
  private var sound: Set<ExactPath> = []
  /// Paths of files that cannot be read, or have other bytes than the index says.
  private(set) var unsound: [String] = []

  /// - Parameter key: the bytes of a content, as the index knows them; nil where it knows no such content.
  init(reading read: @escaping Reader, key: @escaping (Int64) throws(ApusError) -> ContentKey?) {
    (self.read, self.key) = (read, key)
  }

  /// The groups whose best files are sound. Where one is not, groups are formed anew without it.
  /// - Parameter grouped: the groups of some pictures.
  mutating func groups(
    of pictures: [ComparedPicture], _ grouped: ([ComparedPicture]) throws(ApusError) -> [DuplicateGroup]
  ) throws(ApusError) -> [DuplicateGroup] {
    var pictures = pictures
    while true {
      let groups = try grouped(pictures)
      var lost: Set<ExactPath> = []
      for group in groups {
        guard let best = group.members.first, let paths = best.files.first,
          try !isSound(paths, of: best.content)
        else { continue }
        unsound += paths
        lost.formUnion(paths.map { ExactPath($0) })
      }
      guard !lost.isEmpty else { return groups }
      pictures = pictures.compactMap { $0.without(lost) }
    }
  }

  /// - Parameter paths: of one file.
  private mutating func isSound(_ paths: [String], of content: Int64) throws(ApusError) -> Bool {
    guard let path = paths.first else { return false }
    guard !sound.contains(ExactPath(path)) else { return true }
    guard let indexed = try key(content), let bytes = read(path, indexed.byteCount),
      ContentKey(bytes) == indexed
    else { return false }
    sound.insert(ExactPath(path))
    return true
  }
}

extension ComparedPicture {
  /// The picture without some of its files; nil where none is left.
  fileprivate func without(_ paths: Set<ExactPath>) -> ComparedPicture? {
    let left = files.filter { !paths.contains(ExactPath($0.path)) }
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
