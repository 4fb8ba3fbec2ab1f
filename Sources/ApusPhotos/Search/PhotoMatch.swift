import Apus
import GRDB
import TensorCore

/// A photograph that was found.
public struct PhotoMatch: Sendable, Hashable, Codable {
  /// The cosine of the angle between the query and the photograph, from -1 to 1. With CLIP a sentence and a picture that
  /// go together have about 0.3.
  public let score: Float
  /// Where it lies, from `/`; several paths where there are several files of the same bytes.
  public let paths: [String]
  /// The photograph.
  public let photo: Photo

  package var pathsAtHand: [String] { paths.atHand }
}

extension [String] {
  /// Paths of files of the same bytes: one at which a file is before those that are gone since they were indexed.
  package var atHand: [String] {
    guard count > 1, let place = firstIndex(where: { FileSystem.exists($0) }) else { return self }
    return [self[place]] + self[..<place] + self[(place + 1)...]
  }
}

/// A photograph as an index knows it.
public struct Photo: Sendable, Hashable, Codable {
  /// The number of its content in the index.
  public let id: Int64
  /// Bytes of its file.
  public let byteCount: Int
  /// As ``ImageFormat`` names it.
  public let format: String?
  /// Pixels in a row, upright.
  public let width: Int?
  /// Rows, upright.
  public let height: Int?
  /// When it was taken, by the clock of the camera, as `2019-05-31 18:30:15`; nil where its file does not say.
  public let taken: String?
  /// Seconds by which that clock was ahead of UTC, where the file says.
  public let zone: Int?
  /// Maker and model.
  public let camera: String?
  /// Degrees north.
  public let latitude: Double?
  /// Degrees east.
  public let longitude: Double?

  static let columns = "id, bytes, format, width, height, taken_at, zone, camera, latitude, longitude"

  /// - Parameter row: of ``columns``.
  init(_ row: Row) throws {
    (id, byteCount, format, width, height) = (
      try row.at(0), try row.at(1), try row.at(2), try row.at(3), try row.at(4)
    )
    taken = (try row.at(5) as Int?).flatMap(PhotoDate.text)
    (zone, camera, latitude, longitude) = (
      try row.at(6), try row.at(7), try row.at(8), try row.at(9)
    )
  }

  static func find(_ content: Int64, in database: Database) throws -> Photo? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(columns) FROM content WHERE id = ?"), arguments: [content]
    ).map(Photo.init)
  }

  /// Where the files of a content lie, those that are not missing.
  static func paths(of content: Int64, in database: Database) throws -> [String] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT root.path, file.path FROM file JOIN root ON root.id = file.root_id
          WHERE content_id = ? AND missing_since IS NULL ORDER BY root.path, file.path
          """), arguments: [content]
    ).map { StoredRoot.path(try $0.at(0), try $0.at(1)) }
  }
}
