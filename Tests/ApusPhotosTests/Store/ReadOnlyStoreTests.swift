import Foundation
import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// An index that this process cannot write, and others may.
@Suite struct ReadOnlyStoreTests {
  private let library: Library
  private var folder: String { library.index.folder }

  init() async throws {
    library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
  }

  private func files(_ store: PhotoStore) throws -> Int? {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM file") }
  }

  /// Brings all that is written into the database, and leaves no log, as who closes an index last does.
  private func emptyLog() throws {
    let database = try DatabaseQueue(path: PhotoStore.path(folder))
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  @Test(arguments: [false, true])
  func whatOthersWriteIsSeen(_ hasLog: Bool) async throws {
    if !hasLog { try emptyLog() }
    let store = try PhotoStore(openingAt: folder, isWritable: { _ in false })
    let model = try StoredModel.named(nil, in: store)
    let before = try files(store)
    #expect(before == 1)
    try library.add("a-spotted-green-square.png", as: "b.png")
    try await library.update()
    let after = try files(store)
    #expect(after == 2)
    let vectors = try StoredVectors(store, model).open()
    let revision = try store.read { try model.revision(in: $0) }
    #expect(vectors.count == 2 && vectors.revision == revision)
    // When it is closed, the log goes.
    try emptyLog()
    let atLast = try files(store)
    #expect(atLast == 2)
  }

  /// A disk that is full has no room for what SQLite makes beside a database that may be written.
  @Test(arguments: ["no room for what is mapped", "full", "no file"])
  func whatCannotBeOpenedForWritingIsRead(_ reason: String) throws {
    let code: ResultCode =
      switch reason {
      case "full": .SQLITE_FULL
      case "no file": .SQLITE_CANTOPEN
      default: .SQLITE_IOERR_SHMSIZE
      }
    let store = try PhotoStore(openingAt: folder, pool: { _ in throw DatabaseError(resultCode: code) })
    let count = try files(store)
    #expect(count == 1)
    let vectors = try StoredVectors(store, StoredModel.named(nil, in: store)).open()
    #expect(vectors.count == 1)
    let error = #expect(throws: ApusError.self) {
      try store.write { try $0.execute(sql: "DELETE FROM file") }
    }
    #expect(error?.problem.hasPrefix("the index can only be read, as opening it to write failed: ") == true)
    if reason == "full" { #expect(error?.problem.hasSuffix("the disk is full") == true) }
  }

  /// Without a log nothing is locked: what was read while another wrote may be of two states.
  @Test(arguments: [1, 3])
  func whatChangesWhileItIsRead(_ changes: Int) throws {
    try emptyLog()
    let database = try ReadOnlyDatabase(folder)
    func read(repeats: Bool) throws -> (runs: Int, error: ApusError?) {
      var runs = 0
      do {
        try database.read(repeats: repeats) { _ in
          runs += 1
          guard runs <= changes else { return }
          let seconds = repeats ? runs : 10 + runs
          let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
          try FileManager.default.setAttributes(
            [.modificationDate: time], ofItemAtPath: PhotoStore.path(folder))
        }
      } catch let error as ApusError {
        return (runs, error)
      }
      return (runs, nil)
    }
    let repeated = try read(repeats: true)
    #expect(repeated.runs == min(changes + 1, 3))
    #expect(repeated.error?.problem == (changes < 3 ? nil : "the index changed while it was read"))
    let once = try read(repeats: false)
    #expect(once.runs == 1)
    #expect(once.error?.kind == .file)
  }

  /// A full disk or a closed pipe is none of the index; what is said of its rows may be of two states.
  @Test(arguments: [true, false])
  func anErrorOfItsOwnIsSaidOfAReadingThatFails(_ repeats: Bool) throws {
    try emptyLog()
    let database = try ReadOnlyDatabase(folder)
    var seconds = 0.0
    func problem(_ thrown: any Error) -> String? {
      let error = #expect(throws: ApusError.self) {
        try database.read(repeats: repeats) { _ in
          seconds += 1
          let time = Date(timeIntervalSince1970: 1_700_000_000 + seconds)
          try FileManager.default.setAttributes(
            [.modificationDate: time], ofItemAtPath: PhotoStore.path(folder))
          throw thrown
        }
      }
      return error?.problem
    }
    let ofItsOwn = [
      ApusError(.file, "the disk is full", file: "photos.parquet"),
      ApusError(.file, "the disk is full", file: "\(folder)-of-others/photos.parquet"),
      ApusError(.argument, "the width 0"), ApusError(.resources, "no memory"),
    ]
    for thrown in ofItsOwn {
      let said = problem(thrown)
      #expect(said == thrown.problem)
    }
    let ofTwoStates: [any Error] = [
      DatabaseError(resultCode: .SQLITE_CORRUPT),
      ApusError(.file, "the vector of content 3 has 7 bytes", file: folder),
      ApusError(.file, "row 7 is damaged", file: "\(folder)/vectors-0.i8"),
      ApusError(.file, "no file is named"),
    ]
    for thrown in ofTwoStates {
      let said = problem(thrown)
      #expect(said == "the index changed while it was read")
    }
  }

  @Test func otherErrorsAreSaid() throws {
    let error = #expect(throws: ApusError.self) {
      try PhotoStore(openingAt: folder, pool: { _ in throw DatabaseError(resultCode: .SQLITE_CORRUPT) })
    }
    #expect(error?.problem.contains("damaged") == true)
  }

  /// As a process leaves them that was killed, on a disk that then has no room for SQLite's index of the log.
  @Test func aLogThatWasLeft() throws {
    let copy = try TemporaryFolder()
    for ending in ["", "-wal"] {
      let bytes = try #require(FileManager.default.contents(atPath: PhotoStore.path(folder) + ending))
      try copy.write("index.sqlite\(ending)", bytes)
    }
    let log = try #require(FileSystem.version(of: "\(copy.path)/index.sqlite-wal"))
    #expect(log.byteCount > 0)
    let store = try PhotoStore(openingAt: copy.path, isWritable: { _ in false })
    let count = try files(store)
    #expect(count == 1)
  }

  @Test func adviceWhereTheDiskIsFull() {
    let error = #expect(throws: ApusError.self) {
      try StoreFailure.translating(folder) { () throws -> Void in
        throw DatabaseError(resultCode: .SQLITE_FULL)
      }
    }
    #expect(error?.problem == "the disk is full")
    #expect(error?.advice?.contains("index again") == false)
  }

  /// A file of vectors of a later state is one of a database that was read a moment before.
  @Test func aLaterStateIsNoEarlierOne() {
    let later = VectorFileFault.revision(found: 3, expected: 2)
    let earlier = VectorFileFault.revision(found: 2, expected: 3)
    #expect(later.isOfLater && !later.isOfEarlier)
    #expect(earlier.isOfEarlier && !earlier.isOfLater)
    #expect(!VectorFileFault.missing.isOfLater)
  }
}
