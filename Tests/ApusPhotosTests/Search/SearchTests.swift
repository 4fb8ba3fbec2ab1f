import Apus
import Foundation
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What a search finds.
@Suite struct SearchTests {
  private static let circles = "three-red-circles.png"

  @Test func scoresAreCosines() async throws {
    let library = try Library()
    try await library.update()
    let texts = try TextEmbedder(Checkout.file("Weights/scenes").path, options: .init(length: .unit))
    let query = try texts.blocking.embed("three red circles")
    let pictures = try Library.model.get().pictures
    for match in try await PhotoSearcher(library.index).search("three red circles", count: 100) {
      let picture = try pictures.blocking.embed(Picture(match.paths[0]))
      #expect(abs(match.score - query.cosine(picture)) < 1e-3, "\(match.paths[0])")
    }
  }

  @Test func modelsAndSearchersOpenInTheBackground() async throws {
    let library = try Library([Self.circles: "a.png"])
    let stages = Mutex<[LoadStage?]>([])
    let path = Checkout.file("Weights/scenes").path
    let model = try await PhotoModel.load(path) { step in stages.withLock { $0.append(step.stage) } }
    #expect(stages.withLock { $0 } == [.open, .image, nil])
    #expect(try model.stored.digest == Library.model.get().stored.digest)
    await #expect(throws: ApusError.self) { try await PhotoSearcher.load(library.index) }
    try await library.index.update([library.path], with: model)
    #expect(try await PhotoSearcher.load(library.index).search("three red circles").count == 1)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await PhotoSearcher.load(library.index)
    }
    let error = await #expect(throws: ApusError.self) { try await cancelled.value }
    #expect(error?.kind == .cancelled)
  }

  /// As completions of shells write it, while its disk is away.
  @Test func aFolderThatIsAwayWithASlashBehindIt() async throws {
    let library = try Library([Self.circles: "below/a.png", "a-spotted-green-square.png": "b.png"])
    try await library.update()
    #expect(rename(library.path, "\(library.path)-away") == 0)
    for (folder, names) in [("/", ["a.png", "b.png"]), ("/below//", ["a.png"])] {
      let filter = PhotoFilter(folders: [library.path + folder])
      #expect(try await library.names("three red circles", filter: filter) == names)
    }
  }

  /// Two folders whose names differ by the composition of é alone.
  @Test func foldersAreTheirBytes() async throws {
    let library = try Library([
      Self.circles: "caf\u{E9}/a.png", "a-spotted-green-square.png": "cafe\u{301}/b.png",
    ])
    try await library.update()
    let folders = ["caf\u{E9}", "cafe\u{301}"].map { "\(library.path)/\($0)" }
    let (one, two) = (PhotoFilter(folders: [folders[0]]), PhotoFilter(folders: [folders[1]]))
    #expect(try await library.names("a circle", filter: one) == ["a.png"])
    #expect(try await library.names("a circle", filter: two) == ["b.png"])
    let both = try await library.names("a circle", filter: PhotoFilter(folders: folders))
    #expect(both.sorted() == ["a.png", "b.png"])
  }

  @Test func sumsOfSentences() async throws {
    let library = try Library()
    try await library.update()
    let texts = try TextEmbedder(Checkout.file("Weights/scenes").path, options: .init(length: .unit))
    let (a, b) = (try texts.blocking.embed("a circle").values, try texts.blocking.embed("red").values)
    let sum = Embedding(zip(a, b).map { 2 * $0 - 0.5 * $1 })
    let matches = try await PhotoSearcher(library.index).search(
      PhotoQuery(["2:a circle", "-0.5:red"]), count: 3)
    let pictures = try Library.model.get().pictures
    for match in matches {
      #expect(abs(match.score - sum.cosine(try pictures.blocking.embed(Picture(match.paths[0])))) < 1e-3)
    }
    await #expect(throws: ApusError.self) {
      try await PhotoSearcher(library.index).search(PhotoQuery(["red", "-red"]))
    }
  }

  @Test func picturesFindThemselves() async throws {
    let library = try Library()
    try await library.update()
    let known = try PhotoQuery([], like: [Picture("\(Library.samples)/\(Self.circles)")])
    let match = try await PhotoSearcher(library.index).search(known, count: 1)[0]
    #expect(match.paths == ["\(library.path)/\(Self.circles)"])
    #expect(match.score > 0.9999)
  }

  @Test func filtersLeaveOutWhatTheySay() async throws {
    let library = try Library([Self.circles: "2019/a.png", "a-spotted-green-square.png": "2019x/b.png"])
    try await library.update()
    func names(_ filter: PhotoFilter) async throws -> Set<String> {
      Set(try await library.names("a circle", filter: filter))
    }
    #expect(try await names(PhotoFilter()) == ["a.png", "b.png"])
    #expect(try await names(PhotoFilter(folders: ["\(library.path)/2019"])) == ["a.png"])
    #expect(try await names(PhotoFilter(folders: [library.path])) == ["a.png", "b.png"])
    #expect(try await names(PhotoFilter(formats: [.jpeg])) == [])
    let searcher = try PhotoSearcher(library.index)
    #expect(try searcher.leavesNone(PhotoFilter(formats: [.jpeg])))
    #expect(try !searcher.leavesNone(PhotoFilter(formats: [.png])) && !searcher.leavesNone(PhotoFilter()))
    #expect(try await names(PhotoFilter(formats: [.jpeg, .png])) == ["a.png", "b.png"])
    #expect(try await names(PhotoFilter(pixels: 1 << 40)) == [])
    // The samples say no time of their own: their files' counts, which were written just now.
    #expect(try await names(PhotoFilter(since: PhotoDate("2020"))) == ["a.png", "b.png"])
    #expect(try await names(PhotoFilter(until: PhotoDate("2020"))) == [])
    await #expect(throws: ApusError.self) { try await names(PhotoFilter(folders: ["/nowhere"])) }
  }

  @Test func aLeastScore() async throws {
    let library = try Library()
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    let all = try await searcher.search("three red circles", count: 100)
    let least = all[1].score
    #expect(try await searcher.search("three red circles", minimum: .cosine(least)).count == 2)
    await #expect(throws: ApusError.self) {
      try await searcher.search(
        PhotoQuery([], like: [Picture("\(Library.samples)/\(Self.circles)")]), minimum: .automatic)
    }
  }

  /// The model was taught few words: "a photo" is to it a picture of one thing, which a red house beside a tree is more like
  /// than what "a red house" means.
  @Test func aModelOfFewWordsIsNotComparedWithSentencesThatSayNothing() async throws {
    let library = try Library()
    try await library.update()
    for query in ["a red house", "three red circles"] {
      let searcher = try PhotoSearcher(library.index)
      let all = try await searcher.search(PhotoQuery([query]), count: 100)
      #expect(searcher.notes.isEmpty && searcher.minimumNote == nil)
      let liked = try await searcher.search(PhotoQuery([query]), count: 100, minimum: .automatic)
      #expect(liked.map(\.paths) == all.map(\.paths) && all.count > 2)
      #expect(searcher.notes.count == 1 && searcher.notes.first?.contains("'a snapshot'") == true)
      #expect(searcher.minimumNote == searcher.notes.first)
      let words = query.split(separator: " ")
      #expect(liked.first?.paths.first.map { path in words.allSatisfy { path.contains($0) } } == true)
    }
  }

  /// It keeps what it opened, and sees what is added, forgotten and made anew.
  @Test func aSearcherSeesWhatChanges() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let searcher = try PhotoSearcher(library.index)
    func names() async throws -> [String] {
      try await searcher.search("three red circles").map { ($0.paths[0] as NSString).lastPathComponent }
    }
    #expect(try await names() == ["a.png"])
    #expect(try await names() == ["a.png"])
    try library.add("a-spotted-green-square.png", as: "b.png")
    try await library.update()
    #expect(try await names() == ["a.png", "b.png"])
    try library.remove("a.png")
    try await library.update(IndexOptions(forgetsAfter: .seconds(-1)))
    #expect(try await names() == ["b.png"])
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: library.index.folder).first { $0.hasSuffix(".i8") })
    try FileManager.default.removeItem(atPath: "\(library.index.folder)/\(file)")
    #expect(try await names() == ["b.png"])
    #expect(try await PhotoSearcher(library.index).search("three red circles").count == 1)
    #expect(try await names() == ["b.png"])
  }

  @Test func modelsThatThereAreNot() async throws {
    let library = try Library([Self.circles: "a.png"])
    #expect(throws: ApusError.self) { try PhotoSearcher(library.index) }
    try await library.update()
    #expect(throws: ApusError.self) { try PhotoSearcher(library.index, model: "another") }
    #expect(try PhotoSearcher(library.index, model: "scenes").model.hasSuffix("Weights/scenes"))
  }
}
