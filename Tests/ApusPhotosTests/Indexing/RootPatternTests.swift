import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What is kept of the patterns that a folder was indexed with.
@Suite struct RootPatternTests {
  private static let circles = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"

  @Test func aFolderThatTakesInAnotherKeepsItsPatterns() async throws {
    let library = try Library([Self.circles: "[a]/raw/x.png", Self.square: "[a]/b.png"])
    try library.add(Self.circles, as: "[a]/.private/x.png")
    try library.add(Self.circles, as: "raw/x.png")
    try library.add(Self.circles, as: ".private/x.png")
    let inner = try await library.index.update(
      ["\(library.path)/[a]"], with: Library.model.get(),
      options: IndexOptions(excluded: ["raw", "!.private"]))
    #expect(inner.found == 2)
    // Beside what the inner folder had, only what its patterns say nothing of.
    let outer = try await library.update()
    #expect(outer.found == 3 && outer.unchanged == 2 && outer.missing == 0)
    #expect(try await library.update().unchanged == 3)
    #expect(try library.index.status().roots.map(\.files) == [3])
  }

  /// What another index found is looked for as it was there.
  @Test func aFolderThatIsMergedHasItsOwnPatterns() async throws {
    let library = try Library([Self.circles: "a/raw/x.png", Self.square: "a/b.png"])
    try await library.update()
    let folder = try TemporaryFolder()
    let other = try PhotoIndex(at: "\(folder.path)/index", creating: true)
    let model = try Library.model.get()
    try await other.update(["\(library.path)/a"], with: model, options: IndexOptions(excluded: ["raw"]))
    try other.merge(library.index.folder)
    try library.remove("a/raw/x.png")
    let progress = try await other.update(with: model)
    #expect(progress.unchanged == 1 && progress.missing == 1)
  }

  /// As of an icon's file on a Mac, and of lists that were written on Windows.
  @Test func namesWithACarriageReturn() async throws {
    let library = try Library([Self.circles: "raw\r/a.png", Self.square: "raw/b.png"])
    let patterns = ["raw\r", "x\r", "[\r]y"]
    #expect(try await library.update(IndexOptions(excluded: patterns)).found == 1)
    #expect(try await library.update().found == 1)
    let stored = try library.index.store.read { try StoredRoot.all(in: $0) }.map(\.excluded)
    #expect(stored == [patterns])
  }

  @Test func oneThatMeansNothingIsNotKept() async throws {
    let library = try Library([Self.circles: "a.png"])
    await #expect(throws: ApusError.self) {
      try await library.update(IndexOptions(excluded: ["[a"]))
    }
    #expect(try await library.update().found == 1)
  }
}
