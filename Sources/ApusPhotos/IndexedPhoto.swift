import GRDB
import Kernels

/// A photograph of an index, and where its files lie.
public struct IndexedPhoto: Sendable, Hashable {
  /// The photograph.
  public let photo: Photo
  /// From `/`, those that are not missing, of the same bytes: at least one.
  public let paths: [String]
  let digest: ContentDigest

  /// A text in hexadecimal digits that differs for other content, for caches.
  public var version: String {
    [digest.words.x, digest.words.y].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// - Returns: nil for content that is no picture, and where no file is left.
  static func find(_ content: Int64, in database: Database) throws -> IndexedPhoto? {
    let paths = try Photo.paths(of: content, in: database)
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT digest FROM content WHERE id = ? AND error IS NULL"),
      arguments: [content])
    guard !paths.isEmpty, let photo = try Photo.find(content, in: database),
      let digest = try row.flatMap({ ContentDigest(try $0.at(0)) })
    else { return nil }
    return IndexedPhoto(photo: photo, paths: paths, digest: digest)
  }
}
