import Foundation
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What an index watches, and what it makes of what it is told.
@Suite struct IndexWatchTests {
  private static let circle = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"

  @Test func aRootThatIsAwayEndsNoWatch() async throws {
    let library = try Library([Self.circle: "a.png"])
    try await library.update()
    let model = try Library.model.get()
    let reports = Reports()
    func follow(_ event: WatchEvent) async throws -> [String] {
      let lock = try StoreLock(library.index.folder)
      try await library.index.follow(
        event, with: model, IndexOptions(), { reports.add($0) }, holding: lock)
      return reports.take()
    }
    func changes(_ root: String, _ files: [String]) -> WatchEvent {
      .changes(FolderChanges(root: root, renames: [], files: files, folders: []))
    }
    let whole = WatchEvent.rescan(root: library.path, folder: "", .returned)

    #expect(rename(library.path, "\(library.path).away") == 0)
    #expect(try await follow(whole) == ["\(library.path): it is away"])
    #expect(try await follow(changes(library.path, ["a.png", "b/c.png"])) == ["\(library.path): it is away"])
    #expect(rename("\(library.path).away", library.path) == 0)
    let sole = "\(library.path)/gone.png"
    #expect(try await follow(changes(sole, [""])) == ["\(sole): it is away"])
    try library.add(Self.square, as: "b.png")
    #expect(try await follow(whole) == [])
    #expect(try library.index.status().files == 2)
  }

  @Test func rootsAreWatchedByTheirOwnPatterns() async throws {
    let library = try Library([Self.circle: ".private/a.png", Self.square: "2019/a.png"])
    try await library.update(IndexOptions(excluded: ["!.private", "2019/raw"]))
    let root = try #require(FileSystem.resolved(library.path))
    let part = "\(root)/2019"
    let watched = try library.index.watched([root, part, "/elsewhere"], excluded: ["*.tmp.png"])
    let own = try Exclusions(adding: ["!.private", "2019/raw", "*.tmp.png"])
    let other = try Exclusions(adding: ["*.tmp.png"])
    #expect(watched.map { $0.path } == [root, part, "/elsewhere"])
    #expect(watched.map { $0.options.walk.exclusions } == [own, own, other])
    #expect(watched.map { $0.options.walk.below } == ["", "2019", ""])

    var options = watched[1].options
    options.quiet = .milliseconds(60)
    let watch = FolderWatch([(path: part, options: options)])
    let events = watch.makeAsyncIterator()
    #expect(await events.next() == .rescan(root: part, folder: "", .started))
    try library.add(Self.circle, as: "2019/raw/x.png")
    try library.add(Self.circle, as: "2019/b.png")
    #expect(
      await events.next()
        == .changes(FolderChanges(root: part, renames: [], files: ["b.png"], folders: [])))
  }

  @Test func foldersWithNamesThatSwiftTakesForEqual() throws {
    let folder = try TemporaryFolder()
    let names = ["e\u{301}", "\u{E9}"]
    for name in names { try folder.write("\(name)/x.png", "x") }
    let event = WatchEvent.changes(
      FolderChanges(root: folder.path, renames: [], files: names.map { "\($0)/x.png" }, folders: []))
    #expect(event.folders.map { Array($0.utf8) } == names.map { Array("\(folder.path)/\($0)".utf8) })
  }
}

/// The folders that were kept as they were, and why.
private final class Reports: Sendable {
  private let kept = Mutex<[String]>([])

  func add(_ event: IndexEvent) {
    guard case .kept(let folder, let reason) = event else { return }
    kept.withLock { $0.append("\(folder): \(reason)") }
  }

  func take() -> [String] {
    kept.withLock { kept in
      let taken = kept
      kept = []
      return taken
    }
  }
}
