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
        event, among: [library.path], with: model, IndexOptions(), { reports.add($0) }, holding: lock)
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

  /// The system tells of a change under the path only by which it was made, or of the folder that it was made in.
  @Test(arguments: [false, true])
  func otherPathsOfAFileThatChangedAreLookedAtAgain(_ isToldAsFolder: Bool) async throws {
    let library = try Library([Self.circle: "a/x.png"])
    let root = try #require(FileSystem.resolved(library.path))
    for name in ["b", "c"] { try FileSystem.makeFolder("\(root)/\(name)") }
    #expect(link("\(root)/a/x.png", "\(root)/b/hard.png") == 0)
    #expect(symlink("../a/x.png", "\(root)/c/soft.png") == 0)
    try await library.update()
    let model = try Library.model.get()
    let change = FolderChanges(
      root: root, renames: [], files: isToldAsFolder ? [] : ["a/x.png"], folders: isToldAsFolder ? ["a"] : [])
    func paths(_ sentence: String) async throws -> Set<String> {
      let found = try await PhotoSearcher(library.index).search(PhotoQuery([sentence]), count: 1)
      return Set(found.flatMap { $0.paths }.map { FileName.last(of: $0) })
    }

    let square = try #require(FileManager.default.contents(atPath: "\(Library.samples)/\(Self.square)"))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(root)/a/x.png"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: square)
    try file.close()
    try await library.index.follow(
      .changes(change), among: [root], with: model, IndexOptions(), { _ in },
      holding: StoreLock(library.index.folder))
    #expect(try await paths("a spotted green square") == ["x.png", "hard.png", "soft.png"])

    // Another file takes the name: what is linked by it changes, and the old file is still under its other one.
    try library.add(Self.circle, as: "new.tmp")
    #expect(rename("\(root)/new.tmp", "\(root)/a/x.png") == 0)
    try await library.index.follow(
      .changes(change), among: [root], with: model, IndexOptions(), { _ in },
      holding: StoreLock(library.index.folder))
    #expect(try await paths("three red circles") == ["x.png", "soft.png"])
    #expect(try await paths("a spotted green square") == ["hard.png"])
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
