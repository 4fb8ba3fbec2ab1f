import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// A file that could not be read is no copy of what it was, until it is read.
@Suite struct FailedFileTests {
  private let library: Library
  /// Other than the one that both files were indexed with at first.
  private let model: PhotoModel

  /// Two files of the same bytes; one could not be read with the second model, and is there as it was.
  init() async throws {
    let circles = "three-red-circles.png"
    library = try Library([circles: "a.png"])
    try library.add(circles, as: "b.png")
    try await library.update()
    model = try PhotoModel(Checkout.file("Weights/scenes").path, options: .init(precision: .float32))
    var indexer = try Indexer(library.index.store, model, IndexOptions()) { _ in }
    for path in try library.index.roots([library.path]) { try indexer.scan(path) }
    let (file, away) = ("\(library.path)/a.png", "\(library.path)-a.png")
    try FileManager.default.moveItem(atPath: file, toPath: away)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    let progress = try await indexer.read()
    #expect(progress.embedded == 1 && progress.failed == 1)
    try library.remove("a.png")
    try FileManager.default.moveItem(atPath: away, toPath: file)
  }

  /// - Parameter limit: bytes that are read of a file.
  private func update(limit: Int) async throws -> IndexProgress {
    var options = IndexOptions()
    options.limits.fileBytes = limit
    return try await library.index.update([library.path], with: model, options: options)
  }

  private func failures() throws -> [String] { try library.index.failures().map(\.path) }

  @Test func itFailsEachTime() async throws {
    for _ in 0..<2 {
      let progress = try await update(limit: 1)
      #expect(progress.failed == 1 && progress.unchanged == 1)
      let failed = try failures()
      #expect(failed == ["\(library.path)/a.png"])
    }
    let found = try library.index.duplicates(.sameBytes)
    #expect(found == FoundDuplicates(groups: [], leftOut: 1))
  }

  @Test func itFailsUnderAnotherName() async throws {
    try library.move("a.png", to: "z.png")
    for _ in 0..<2 {
      let progress = try await update(limit: 1)
      #expect(progress.failed == 1 && progress.unchanged == 1)
      let failed = try failures()
      #expect(failed == ["\(library.path)/z.png"])
      let found = try library.index.duplicates(.sameBytes)
      #expect(found == FoundDuplicates(groups: [], leftOut: 1))
    }
  }

  @Test func itIsACopyOnceItIsRead() async throws {
    let progress = try await update(limit: 1 << 20)
    #expect(progress.failed == 0 && progress.known == 1 && progress.embedded == 0)
    let failed = try failures()
    #expect(failed == [])
    let found = try library.index.duplicates(.sameBytes)
    #expect(found.groups.count == 1 && found.leftOut == 0)
  }
}
