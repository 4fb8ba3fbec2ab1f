import Apus
import Foundation
import GRDB
import TestSupport
import Testing

@testable import ApusPhotos

/// Whatever somebody writes into an index by hand, the worst is an error that says what to do.
@Suite struct EditedIndexTests {
  /// `Tools/checks/photos edited` has more of them, and every command.
  private static let values = ["NULL", "9223372036854775807", "-9223372036854775808", "'x'"]

  /// Nothing is held to what tables refer to.
  private static var free: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    return configuration
  }

  /// An index whose tables take every value in every column.
  private static func openedUp() async throws -> (folder: TemporaryFolder, bytes: Data) {
    let library = try Library(["three-red-circles.png": "a.png", "a-spotted-green-square.png": "b.png"])
    try library.write("broken.png", [1])
    try await library.update()
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/index.sqlite"
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").vacuum(into: path)
    try await DatabaseQueue(path: path, configuration: Self.free).write { database in
      for table in ["root", "content", "file", "model", "vector", "part", "reading"] {
        let columns = try database.columns(in: table).map(\.name)
        try database.execute(sql: "ALTER TABLE \(table) RENAME TO old_\(table)")
        try database.execute(sql: "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
        try database.execute(sql: "INSERT INTO \(table) SELECT * FROM old_\(table)")
        try database.execute(sql: "DROP TABLE old_\(table)")
      }
    }
    return (folder, try #require(FileManager.default.contents(atPath: path)))
  }

  /// What all uses of an index throw.
  private static func use(_ folder: String) async -> [ApusError] {
    var errors: [ApusError] = []
    func attempt(_ body: () async throws -> Void) async {
      do { try await body() } catch let error as ApusError { errors.append(error) } catch {
        Issue.record("another error: \(error)")
      }
    }
    guard let index = try? PhotoIndex(at: folder) else { return [] }
    await attempt { _ = try index.status() }
    await attempt { _ = try index.failures() }
    await attempt { _ = try index.duplicates(.sameBytes, readsFiles: true) }
    await attempt { _ = try index.duplicates(.samePicture) }
    await attempt { _ = try index.export(to: "\(folder)/x.jsonl", as: .jsonl) }
    await attempt {
      let filter = PhotoFilter(
        since: try PhotoDate("1990"), near: PhotoFilter.Circle(latitude: 0, longitude: 0, kilometres: 1e5),
        pixels: 1)
      let searcher = try PhotoSearcher(index)
      _ = try await searcher.search("a circle")
      _ = try await searcher.search("a circle", filter: filter)
    }
    await attempt { _ = try index.check() }
    await attempt { _ = try await index.update(with: Library.model.get()) }
    return errors
  }

  @Test func everyValueInEveryColumn() async throws {
    let (folder, bytes) = try await Self.openedUp()
    let path = "\(folder.path)/index.sqlite"
    let columns = try await DatabaseQueue(path: path).read { database in
      try ["root", "content", "file", "model", "vector"].flatMap { table in
        try database.columns(in: table).map { (table, $0.name) }
      }
    }
    var errors: [ApusError] = []
    for (table, column) in columns {
      for value in Self.values {
        let copy = try TemporaryFolder()
        try copy.write("index.sqlite", bytes)
        try await DatabaseQueue(path: "\(copy.path)/index.sqlite", configuration: Self.free).write {
          try $0.execute(sql: "UPDATE \(table) SET \(column) = \(value)")
        }
        errors += await Self.use(copy.path)
      }
    }
    #expect(errors.contains { $0.problem.contains("damaged") && $0.advice != nil })
    for error in errors where error.kind == .file && error.file == folder.path {
      #expect(error.advice != nil, "\(error)")
    }
  }

  @Test func tablesThatAreNotThere() async throws {
    let (folder, bytes) = try await Self.openedUp()
    _ = folder
    for table in ["root", "content", "file", "model", "vector"] {
      let copy = try TemporaryFolder()
      try copy.write("index.sqlite", bytes)
      try await DatabaseQueue(path: "\(copy.path)/index.sqlite", configuration: Self.free).write {
        try $0.execute(sql: "DROP TABLE \(table)")
      }
      let errors = await Self.use(copy.path)
      #expect(!errors.isEmpty)
      for error in errors { #expect(error.problem.contains("damaged") && error.advice != nil, "\(error)") }
    }
  }
}
