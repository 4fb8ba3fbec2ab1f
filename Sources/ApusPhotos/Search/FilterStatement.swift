import CLibrary
import GRDB
import TensorCore

/// A filter as a part of a query of the database. Only what passes is scanned, so that a filter makes a search faster and
/// never loses a match.
struct FilterStatement {
  private var conditions = ["file.missing_since IS NULL"]
  private var arguments = StatementArguments()
  private let near: PhotoFilter.Circle?

  /// The seconds of a photograph by the clock of its camera, else by its file's, in the zone of this computer.
  static let taken = """
    coalesce(content.taken_at,
      CAST(strftime('%s', \(written), 'unixepoch', 'localtime') AS INTEGER))
    """

  /// The whole seconds from 1970 of a ``FileTime``, rounded down, as those before 1970 are negative.
  static let written = """
    CASE WHEN file.modified >= \(FileTime.nearNumber) THEN file.modified - \(FileTime.nearNumber - FileTime.nearSeconds)
      WHEN file.modified < -\(FileTime.nearNumber) THEN file.modified + \(FileTime.nearNumber - FileTime.nearSeconds)
      ELSE file.modified / 1000000000 - (file.modified % 1000000000 < 0) END
    """

  /// - Parameter roots: of the index.
  init(_ filter: PhotoFilter, roots: [StoredRoot]) throws(ApusError) {
    near = filter.near
    if let date = filter.since { add("\(Self.taken) >= ?", date.start) }
    if let date = filter.until { add("\(Self.taken) < ?", date.end) }
    if let pixels = filter.pixels { add("content.width * content.height >= ?", pixels) }
    if let bytes = filter.byteCount { add("content.bytes >= ?", bytes) }
    if let camera = filter.camera { add("instr(lower(content.camera), lower(?)) > 0", camera) }
    if !filter.formats.isEmpty {
      let names = filter.formats.map(\.rawValue).sorted()
      conditions.append("content.format IN (\(names.map { _ in "?" }.joined(separator: ", ")))")
      arguments += StatementArguments(names)
    }
    if !filter.folders.isEmpty { try add(folders: filter.folders, roots, followsLinks: filter.followsLinks) }
    if let near { add(near) }
  }

  private mutating func add(_ condition: String, _ argument: some DatabaseValueConvertible) {
    conditions.append(condition)
    arguments += [argument]
  }

  /// Roots that lie in folders as a whole, and what lies below folders inside of roots.
  private mutating func add(
    folders: [String], _ roots: [StoredRoot], followsLinks: Bool
  ) throws(ApusError) {
    var whole: Set<Int64> = []
    var parts: [(root: Int64, below: ExactText)] = []
    for folder in folders {
      // A folder on a disk that is away can be asked for by its path from `/`.
      let resolved = followsLinks ? FileSystem.resolved(folder) : nil
      let path = resolved ?? FileName.withoutFinalSlashes(folder)
      let inner = roots.filter { ExactText($0.path).below(path) != nil }
      let outer = roots.compactMap { root in ExactText(path).below(root.path).map { (root.id, ExactText($0)) }
      }
      guard !inner.isEmpty || !outer.isEmpty else {
        throw ApusError(.argument, "it is in no folder of the index", file: folder)
      }
      whole.formUnion(inner.map(\.id))
      for part in outer where !part.1.isEmpty && !parts.contains(where: { $0 == part }) {
        parts.append(part)
      }
    }
    // One list, as SQLite limits the depth of expressions.
    var alternatives = ["file.root_id IN (\(whole.map { _ in "?" }.joined(separator: ", ")))"]
    arguments += StatementArguments(whole.sorted())
    for part in parts where !whole.contains(part.root) {
      let paths = PathsBelow(part.below.text)
      alternatives.append("file.root_id = ? AND \(paths.condition)")
      arguments += paths.arguments(behind: [part.root])
    }
    conditions.append("(" + alternatives.joined(separator: " OR ") + ")")
  }

  /// The rectangle around a circle; what is in the circle is looked at row by row.
  private mutating func add(_ circle: PhotoFilter.Circle) {
    let degrees = circle.kilometres / Self.kilometresPerDegree
    add("content.latitude BETWEEN ? AND ?", circle.latitude - degrees)
    arguments += [circle.latitude + degrees]
  }

  /// The contents that pass and have a vector by a model, in ascending order.
  func contents(with model: Int64, in database: Database) throws -> [Int64] {
    let rows = try passing(
      "JOIN vector ON vector.model_id = ? AND vector.content_id = content.id",
      "GROUP BY content.id ORDER BY content.id", [model], in: database)
    var contents: [Int64] = []
    while let content = try rows.next() { contents.append(content) }
    return contents
  }

  /// The contents that pass, one by one.
  struct Passing {
    fileprivate let rows: RowCursor
    fileprivate let near: PhotoFilter.Circle?

    func next() throws -> Int64? {
      while let row = try rows.next() {
        if let near, !FilterStatement.isIn(near, try row.at(1), try row.at(2)) { continue }
        return try row.at(0)
      }
      return nil
    }
  }

  /// - Parameters:
  ///   - join: what is joined, with what `values` are in it.
  ///   - order: how the contents come.
  func passing(
    _ join: String, _ order: String, _ values: StatementArguments = [], in database: Database
  ) throws -> Passing {
    let sql = """
      SELECT content.id, content.latitude, content.longitude
      FROM content JOIN file ON file.content_id = content.id \(join)
      WHERE \(conditions.joined(separator: " AND ")) \(order)
      """
    let rows = try Row.fetchCursor(database, sql: sql, arguments: values + arguments)
    return Passing(rows: rows, near: near)
  }

  /// Of a great circle, on a sphere of the Earth's mean radius, 6371.0088 km.
  private static let kilometresPerDegree = 6371.0088 * Double.pi / 180

  /// By the haversine formula.
  fileprivate static func isIn(_ circle: PhotoFilter.Circle, _ latitude: Double?, _ longitude: Double?)
    -> Bool
  {
    guard let latitude, let longitude else { return false }
    let radians = { (degrees: Double) in degrees * Double.pi / 180 }
    let (a, b) = (radians(circle.latitude), radians(latitude))
    let (height, width) = (sin((b - a) / 2), sin(radians(longitude - circle.longitude) / 2))
    let share = height * height + cos(a) * cos(b) * width * width
    return 2 * asin(min(1, share.squareRoot())) <= radians(circle.kilometres / kilometresPerDegree)
  }
}
