import Apus
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import ApusPhotos

/// What an indexing makes of files that an earlier one was at when its process was ended.
@Suite struct EndedIndexingTests {
  private static let circles = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The index as a process leaves it that is ended before an indexing is done: at its last file, or at its first.
  private func ended(
    _ index: PhotoIndex, _ library: Library, as name: String, atStart: Bool = false
  ) async throws -> PhotoIndex {
    let copy = "\(folder.path)/\(name)"
    try await index.update([library.path], with: Library.model.get()) { event in
      guard case .progress(let progress) = event, progress.done < (atStart ? 1 : progress.total) else {
        return
      }
      Self.copy(index, to: copy)
    }
    return try PhotoIndex(at: copy)
  }

  private static func copy(_ index: PhotoIndex, to copy: String) {
    try? FileManager.default.removeItem(atPath: copy)
    try? FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for file in ["index.sqlite", "index.sqlite-wal"] {
      try? FileManager.default.copyItem(atPath: "\(index.folder)/\(file)", toPath: "\(copy)/\(file)")
    }
  }

  /// What an indexing told of files put aside, and what it did.
  private func update(
    _ index: PhotoIndex, _ library: Library, _ options: ApusPhotos.IndexOptions = ApusPhotos.IndexOptions()
  ) async throws -> (aside: Int, progress: IndexProgress) {
    let aside = Mutex(0)
    let progress = try await index.update([library.path], with: Library.model.get(), options: options) {
      if case .putAside(let files) = $0 { aside.withLock { $0 += files } }
    }
    return (aside.withLock { $0 }, progress)
  }

  private func readings(of index: PhotoIndex) throws -> Int? {
    try index.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reading") }
  }

  @Test func whatAProcessWasAtComesLastAndIsIndexed() async throws {
    let library = try Library()
    let ended = try await ended(library.index, library, as: "ended")
    let (aside, progress) = try await update(ended, library)
    #expect(aside > 0)
    #expect(progress.embedded > 0 && progress.embedded + progress.unchanged == progress.found)
    #expect(try readings(of: ended) == 0)
    #expect(try readings(of: library.index) == 0)
    #expect(try ended.check() == [])
  }

  /// How many files the index has as being read, whenever an indexing tells of its progress.
  private func opened(_ index: PhotoIndex, _ library: Library, width: Int) async throws -> [Int] {
    let counts = Mutex<[Int]>([])
    let options = ApusPhotos.IndexOptions(width: width)
    try await index.update([library.path], with: Library.model.get(), options: options) { event in
      guard case .progress = event else { return }
      let count = try? index.store.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM reading WHERE is_open <> 0")
      }
      counts.withLock { $0.append((count ?? nil) ?? -1) }
    }
    return counts.withLock { $0 }
  }

  /// Of the many files that a process is ended at most only waited: they are read as many at a time as others are, and one at
  /// a time only when that ends a process too.
  @Test func whatAProcessWasAtIsReadInSmallGroups() async throws {
    let library = try Library()
    let files = try FileManager.default.contentsOfDirectory(atPath: library.path).count
    let once = try await ended(library.index, library, as: "once", atStart: true)
    #expect(try readings(of: once) == files)
    Self.copy(once, to: folder.path + "/twice")
    let twice = try PhotoIndex(at: folder.path + "/twice")
    try twice.store.write { try $0.execute(sql: "UPDATE reading SET is_open = 1, ends = 1") }
    let (ofOnce, ofTwice) = (
      try await opened(once, library, width: 3), try await opened(twice, library, width: 3)
    )
    #expect(ofOnce.max() == 3 && ofOnce.count <= (files + 2) / 3 + 1, "\(ofOnce)")
    #expect(ofTwice.max() == 1 && ofTwice.count <= files + 1, "\(ofTwice)")
    for index in [once, twice] { #expect(try readings(of: index) == 0) }
  }

  /// The index of processes that were ended at the same file until it is left out, but for the first at it alone.
  private func endedAgain(_ library: Library) async throws -> PhotoIndex {
    var index = library.index
    for number in 1...StoredReading.mostEnds { index = try await ended(index, library, as: "\(number)") }
    return index
  }

  @Test func whatEndsProcessesAgainIsLeftOutAndNamed() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "b.png"])
    let index = try await endedAgain(library)
    for _ in 0..<2 {
      let (aside, progress) = try await update(index, library)
      #expect(aside == 0)
      #expect(progress.unchanged == 1 && progress.failed == 1 && progress.embedded == 0)
    }
    let failures = try index.failures()
    #expect(failures.count == 1)
    #expect(failures.first?.error.contains("ended 4 times") == true)
    #expect(try index.status().failures == 1)
    #expect(try await PhotoSearcher(index).search("a circle").count == 1)
  }

  @Test func whatIsLeftOutIsReadWhenItChangesOrIsAskedFor() async throws {
    for changes in [false, true] {
      let library = try Library([Self.circles: "a.png", Self.square: "b.png"])
      let index = try await endedAgain(library)
      #expect(try await update(index, library).progress.failed == 1)
      if changes {
        let path = try #require(try index.failures().first?.path)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
      }
      let (_, progress) = try await update(index, library, ApusPhotos.IndexOptions(retriesLeftOut: !changes))
      #expect(progress.embedded == 1 && progress.failed == 0, "changed: \(changes)")
      #expect(try index.failures() == [])
      #expect(try readings(of: index) == (changes ? 1 : 0))
    }
  }

  @Test func whatIsStoppedInOrderPutsNothingAside() async throws {
    let library = try Library()
    let indexing = Task {
      try await library.index.update([library.path], with: Library.model.get()) { event in
        if case .progress = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let stopped = await #expect(throws: ApusError.self) { try await indexing.value }
    #expect(stopped?.kind == .cancelled)
    #expect(try readings(of: library.index) == 0)
    let (aside, progress) = try await update(library.index, library)
    #expect(aside == 0 && progress.failed == 0)
  }
}
