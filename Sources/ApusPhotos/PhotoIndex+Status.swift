import GRDB
import TensorCore

extension PhotoIndex {
  /// The contents of an index.
  public struct Status: Sendable, Hashable, Codable {
    /// Files, but for those that are missing.
    public var files: Int
    /// Photographs: contents, of which several files may have one.
    public var contents: Int
    /// Files that are no pictures, or could not be read.
    public var failures: Int
    /// Files that are gone, but not forgotten yet.
    public var missing: Int
    /// Folders that were indexed, by their paths.
    public var roots: [Root]
    /// Models that vectors are of, the one used last at the end.
    public var models: [Model]
  }

  /// A folder that was indexed.
  public struct Root: Sendable, Hashable, Codable {
    /// From `/`.
    public var path: String
    /// Its files, but for those that are missing.
    public var files: Int
    /// Whether it is there now.
    public var isPresent: Bool
  }

  /// A model that photographs were embedded with.
  public struct Model: Sendable, Hashable, Codable {
    /// The name it was opened by.
    public var name: String
    /// Its folder or file, from `/`; as it was asked for in indexes by earlier versions of Apus.
    public var path: String
    /// The precision of pictures' vectors, as ``Precision`` names it.
    public var precision: String
    /// How much of picture files was decoded, as ``PictureDecoding`` names it.
    public var decoding: String
    /// The treatment of transparent pixels: `ignored`, or the colour they were blended over.
    public var transparency: String
    /// How pictures were prepared.
    public var preparation: String
    /// Photographs that have one.
    public var vectors: Int
    /// Numbers of a vector.
    public var width: Int
  }

  /// A file that could not be read.
  public struct Failure: Sendable, Hashable, Codable {
    /// From `/`.
    public var path: String
    /// Why, in a clause without a full stop.
    public var error: String
  }

  /// The contents of the index.
  /// - Throws: ``ApusError`` of kind `file` if it cannot be read.
  public func status() throws(ApusError) -> Status {
    try store.read { database in
      func count(_ sql: String) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(sql)") ?? 0
      }
      return Status(
        files: try count("file WHERE missing_since IS NULL"),
        contents: try count("content WHERE error IS NULL"),
        failures: try count(
          "file LEFT JOIN content ON content.id = content_id WHERE missing_since IS NULL AND \(Self.failed)"),
        missing: try count("file WHERE missing_since IS NOT NULL"), roots: try Self.roots(in: database),
        models: try Self.models(in: database))
    }
  }

  /// The models that vectors are of, the one used last at the end.
  /// - Throws: ``ApusError`` of kind `file` when the index cannot be read.
  public func models() throws(ApusError) -> [Model] { try store.read(Self.models) }

  /// Files that are no pictures, or could not be read, by their paths.
  /// - Throws: ``ApusError`` of kind `file` when the index cannot be read.
  public func failures() throws(ApusError) -> [Failure] {
    try store.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT root.path, file.path, coalesce(file.error, content.error)
          FROM file JOIN root ON root.id = root_id LEFT JOIN content ON content.id = content_id
          WHERE missing_since IS NULL AND \(Self.failed) ORDER BY root.path, file.path
          """
      ).map { try Failure(path: StoredRoot.path($0.at(0), $0.at(1)), error: $0.at(2)) }
    }
  }

  private static let failed = "(file.error IS NOT NULL OR content.error IS NOT NULL)"

  private static func roots(in database: Database) throws -> [Root] {
    try StoredRoot.all(in: database).map { root in
      let files = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM file WHERE root_id = ? AND missing_since IS NULL",
        arguments: [root.id])
      return Root(path: root.path, files: files ?? 0, isPresent: FileSystem.exists(root.path))
    }
  }

  private static func models(in database: Database) throws -> [Model] {
    try StoredModel.all(in: database).map { model in
      let vectors = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM vector WHERE model_id = ?", arguments: [model.id])
      let decoding = StoredDecoding(model.decoding)
      return Model(
        name: model.name, path: model.path, precision: model.precision, decoding: decoding.extent.rawValue,
        transparency: "\(decoding.transparency)", preparation: model.profile, vectors: vectors ?? 0,
        width: model.width)
    }
  }
}

extension PhotoIndex.Model {
  /// Text of a version that knew of no transparency says nothing of it.
  public init(from decoder: any Decoder) throws {
    let model = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try model.decode(String.self, forKey: .name),
      path: try model.decode(String.self, forKey: .path),
      precision: try model.decode(String.self, forKey: .precision),
      decoding: try model.decode(String.self, forKey: .decoding),
      transparency: try model.decodeIfPresent(String.self, forKey: .transparency) ?? "ignored",
      preparation: try model.decode(String.self, forKey: .preparation),
      vectors: try model.decode(Int.self, forKey: .vectors),
      width: try model.decode(Int.self, forKey: .width))
  }
}
