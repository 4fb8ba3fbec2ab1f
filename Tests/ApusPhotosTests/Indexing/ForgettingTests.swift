import Foundation
import GRDB
import TestSupport
import Testing

@testable import ApusPhotos

/// When what is gone is forgotten, whatever is asked for and whatever the clock says.
@Suite struct ForgettingTests {
  private let library: Library

  init() async throws {
    library = try Library(["three-red-circles.png": "a.png", "a-spotted-green-square.png": "b.png"])
    try await library.update()
  }

  private func database() throws -> DatabaseQueue {
    try DatabaseQueue(path: "\(library.index.folder)/index.sqlite")
  }

  @Test func timesWithoutEnd() async throws {
    try library.remove("a.png")
    for time in [.seconds(Int64.max), nil] as [Duration?] {
      #expect(try await library.update(IndexOptions(forgetsAfter: time)).forgotten == 0)
    }
    #expect(try library.index.status().missing == 1)
    #expect(try await library.update(IndexOptions(forgetsAfter: .seconds(Int64.min))).forgotten == 1)
    #expect(try library.index.check() == [])
  }

  /// As of a computer whose clock begins anew until the network tells the time.
  @Test func aClockThatWasPutBack() async throws {
    let later: Int64 = 99_999_999_999
    try await database().write {
      try $0.execute(sql: "UPDATE root SET scanned_at = ?", arguments: [later])
    }
    let away = "\(library.path)-a.png"
    #expect(rename("\(library.path)/a.png", away) == 0)
    let progress = try await library.update(IndexOptions(forgetsAfter: .seconds(-1)))
    #expect(progress.missing == 1 && progress.forgotten == 0)
    let times = try await database().read {
      try Int64.fetchAll(
        $0,
        sql: """
          SELECT missing_since FROM file WHERE missing_since IS NOT NULL
          UNION ALL SELECT scanned_at FROM root
          """)
    }
    #expect(times == [later, later])
    // What is there again is.
    #expect(rename(away, "\(library.path)/a.png") == 0)
    #expect(try await library.update().unchanged == 2)
    #expect(try library.index.status().missing == 0)
  }

  /// As of a computer whose clock was first set after a picture was missed.
  @Test func aClockThatWasNotSet() async throws {
    try library.remove("a.png")
    try await library.update()
    let database = try database()
    try await database.write {
      try $0.execute(sql: "UPDATE file SET missing_since = 100 WHERE missing_since IS NOT NULL")
      try $0.execute(sql: "UPDATE root SET scanned_at = 100")
    }
    for _ in 0..<2 { #expect(try await library.update().forgotten == 0) }
    let begin = try await database.read { try Int64.fetchOne($0, sql: "SELECT max(missing_since) FROM file") }
    #expect((begin ?? 0) >= StoredFile.earliestTime)
    // From then on it counts as ever.
    try await database.write {
      try $0.execute(
        sql: "UPDATE file SET missing_since = ? WHERE missing_since IS NOT NULL",
        arguments: [StoredFile.earliestTime])
    }
    #expect(try await library.update().forgotten == 1)
  }
}
