import Apus
import FoundationEssentials
import GRDB
import Kernels
import TensorCore

/// A model that pictures of the index were embedded with.
struct StoredModel: Sendable, Hashable {
  var id: Int64
  /// The name it was opened by: its folder, or its name in the Hugging Face cache.
  var name: String
  /// Of its files, and of how pictures are prepared, decoded and computed.
  var digest: ContentDigest
  /// The precision of pictures' vectors, as ``Precision`` names it.
  var precision: String
  /// How picture files are decoded, as ``StoredDecoding`` writes it.
  var decoding: String
  /// How pictures are prepared.
  var profile: String
  /// Values of a vector.
  var width: Int
  /// Its folder or file, from `/`; as it was asked for in indexes by earlier versions of Apus.
  var path: String
  /// A digest that changes whenever its files do; see ``ModelIdentity``.
  var stamp: ContentDigest
  /// The folder from `/` that a caller names it by now, where that is not its name; the index does not keep it.
  var asked: String?

  /// The path that opens it as requested: the folder inside may read texts differently from the one around it.
  var openingPath: String { asked ?? ModelPath.opening(path, askedAs: name) }

  /// The models of an index, the one used last at the end.
  static func all(in database: Database) throws -> [StoredModel] {
    try Row.fetchAll(
      database,
      sql:
        "SELECT id, name, digest, precision, decoding, profile, width, path, stamp FROM model ORDER BY used_at, id"
    ).compactMap { row in
      let width: Int = try row.at(6)
      guard VectorFileLayout(width: width) != nil else {
        throw StoreFailure.damage("it has a model whose vectors have \(width) numbers")
      }
      guard let digest = ContentDigest(try row.at(2)), let stamp = ContentDigest(try row.at(8)) else {
        return nil
      }
      return try StoredModel(
        id: row.at(0), name: row.at(1), digest: digest, precision: row.at(3), decoding: row.at(4),
        profile: row.at(5),
        width: width, path: row.at(7), stamp: stamp)
    }
  }

  /// Where SQLite begins to count the changes of a model: anywhere, so that no file of vectors of another index, or of a
  /// state that was since undone, has the number of this one by chance.
  static let anyRevision = "random() & 0xFFFFFFFFFFFFFF"

  /// Writes the model, or that it is used again and where it lies now: after all others, whatever the clock
  /// says.
  /// - Returns: the same with its id in the index.
  func store(at time: Int64, in database: Database) throws -> StoredModel {
    let id = try Int64.fetchOne(
      database,
      sql: """
        INSERT INTO model (name, digest, precision, decoding, profile, width, path, stamp, used_at, revision)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?,
          max(?, coalesce((SELECT max(used_at) + 1 FROM model WHERE digest <> ?), 0)), \(Self.anyRevision))
        ON CONFLICT (digest) DO UPDATE
        SET name = excluded.name, path = excluded.path, stamp = excluded.stamp, used_at = excluded.used_at
        RETURNING id
        """,
      arguments: [
        name, digest.data, precision, decoding, profile, width, path, stamp.data, time, digest.data,
      ])
    var stored = self
    stored.id = id ?? 0
    return stored
  }

  /// A number that grows by one with every change of the model's vectors.
  func revision(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT revision FROM model WHERE id = ?", arguments: [id]) ?? 0
  }

  /// Says that the vectors of models change.
  static func advance(_ models: some Sequence<Int64>, in database: Database) throws {
    for id in models {
      try database.execute(sql: "UPDATE model SET revision = revision + 1 WHERE id = ?", arguments: [id])
    }
  }
}

extension StoredModel {
  /// The model of an index that a name refers to.
  /// - Parameter name: its name, its folder, or a part of its name, where there are several of that name with what follows
  ///   in ``fullName``; nil for the one used last.
  /// - Throws: ``ApusError`` of kind `argument` when nothing was indexed with it.
  static func named(_ name: String?, in store: PhotoStore) throws(ApusError) -> StoredModel {
    let all = try store.read { try Self.all(in: $0) }
    guard let last = all.last else {
      throw ApusError(
        .file, "nothing was indexed yet", file: store.folder,
        advice: "Index a folder first, with \(Doing.indexPhotos).")
    }
    guard let name else { return last }
    if let model = named(name, among: all) { return model }
    if let model = fullyNamed(name, among: all) { return model }
    throw ApusError(
      .argument, "nothing was indexed with '\(name)'",
      expected: all.map { "'\($0.fullName)'" }.joined(separator: " or "), file: store.folder)
  }

  /// The name with the details that distinguish it: `scenes@int8`, or `scenes@int8, over white`.
  var fullName: String {
    let transparency = StoredDecoding(decoding).transparency
    return "\(name)@\(precision)" + (transparency == .ignored ? "" : ", over \(transparency)")
  }

  /// If the name says nothing of transparent pixels, and no model kept their colour, the one of the precision that was used
  /// last.
  private static func fullyNamed(_ name: String, among models: [StoredModel]) -> StoredModel? {
    guard let mark = name.lastIndex(of: "@") else { return nil }
    let (base, form) = ("\(name[..<mark])", name[name.index(after: mark)...])
    let parts = form.split(separator: ", over ", maxSplits: 1).map { "\($0)" }
    guard let first = parts.first, let precision = Precision(rawValue: first) else { return nil }
    let transparency: ImageOptions.Transparency? =
      parts.count > 1 ? ImageOptions.Transparency(parts[1]) : .ignored
    let fitting = models.filter { $0.precision == precision.rawValue }
    let exact = fitting.filter { StoredDecoding($0.decoding).transparency == transparency }
    return named(base, among: exact) ?? (parts.count > 1 ? nil : named(base, among: fitting))
  }

  /// A path comes before any name, because an index does not know the folder in which a relative name was given.
  private static func named(_ name: String, among models: [StoredModel]) -> StoredModel? {
    let name = FileName.withoutFinalSlashes(name)
    if FileSystem.exists(name), let model = lying(at: name, among: models) { return model }
    guard ModelPath.mayBeStoredName(name) else { return nil }
    let exact = ExactText(name)
    func isNamed(_ model: StoredModel) -> Bool {
      [model.name, model.path].contains { ExactText(FileName.withoutFinalSlashes($0)) == exact }
    }
    if let model = models.last(where: isNamed) { return model }
    // A repository of the cache.
    if let model = lying(at: name, among: models) { return model }
    guard ModelPath.hasLastPart(name) else { return nil }
    return models.last { $0.name.lowercased().contains(name.lowercased()) }
  }

  /// The model whose files a folder has, or the folder inside that its list of modules names.
  private static func lying(at name: String, among models: [StoredModel]) -> StoredModel? {
    let place = ModelPath.resolved(name)
    let folder = ModelPath.folder(name)
    func lies(_ model: StoredModel) -> Bool {
      place != nil && ModelPath.resolved(model.path) == place
    }
    func isOne(_ model: StoredModel) -> Bool { folder.map { ModelPath.areOne($0, model.path) } ?? false }
    func isNamed(_ model: StoredModel) -> Bool {
      folder.map { ModelPath.isNamed(model.name, $0, around: model.path) } ?? false
    }
    guard
      var model = models.last(where: lies) ?? models.last(where: isOne) ?? models.last(where: isNamed)
    else { return nil }
    model.asked = folder.flatMap { ModelPath.asked($0, for: model.path, askedAs: model.name) }
    return model
  }
}

extension ContentDigest {
  /// 16 bytes, the low ones first.
  var data: Data { withUnsafeBytes(of: (words[0].littleEndian, words[1].littleEndian)) { Data($0) } }

  /// - Returns: nil unless there are 16 bytes.
  init?(_ data: Data) {
    guard data.count == 16 else { return nil }
    let words = data.withUnsafeBytes { bytes in
      SIMD2(
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
    self.init(words: words)
  }
}
