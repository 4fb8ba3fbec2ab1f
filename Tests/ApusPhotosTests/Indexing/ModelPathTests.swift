import Apus
import Foundation
import GRDB
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// An index knows its model wherever it is used from.
@Suite struct ModelPathTests {
  private var here: String { FileManager.default.currentDirectoryPath }

  @Test func pathsBeginAtTheRoot() {
    let prefix = here == "/" ? "/" : here + "/"
    #expect(ModelPath.absolute("wsc") == prefix + "wsc")
    #expect(ModelPath.absolute("./wsc") == prefix + "wsc")
    #expect(ModelPath.absolute(".//./wsc") == prefix + "wsc")
    #expect(ModelPath.absolute("../wsc") == prefix + "../wsc")
    #expect(ModelPath.absolute(".") == here)
    #expect(ModelPath.absolute("/wsc") == "/wsc")
  }

  private func relative(_ path: String) -> String {
    let depth = here.split(separator: "/").count
    return String(repeating: "../", count: depth) + String(path.dropFirst())
  }

  /// A relative name is of the folder where it was given: what lies there now is meant, and a name only where nothing does.
  @Test func whatLiesAtARelativePathIsMeant() throws {
    let folder = try TemporaryFolder()
    let path = Checkout.file("Weights/scenes").path
    let store = try PhotoStore(creatingAt: "\(folder.path)/index")
    let one = try PhotoModel(path).stored
    var other = one
    (other.name, other.path) = (relative(path), "\(folder.path)/other")
    other.digest = try #require(ContentDigest(Data(repeating: 1, count: 16)))
    for model in [one, other] { _ = try store.write { try model.store(at: 1, in: $0) } }
    for name in [other.name, other.name + "/"] {
      let found = try StoredModel.named(name, in: store)
      #expect(found.path == one.path, "\(name)")
      #expect(FileSystem.resolved(found.openingPath) == FileSystem.resolved(path))
    }
    // That of no model of the index is none of them, whatever they were called.
    let inner = Checkout.modelFolder("clip")
    other.name = relative(inner)
    _ = try store.write { [other] in try other.store(at: 2, in: $0) }
    #expect(throws: ApusError.self) { try StoredModel.named(relative(inner), in: store) }
    for name in ["no-such-folder", "no-such-folder/"] {
      other.name = name
      _ = try store.write { [other] in try other.store(at: 3, in: $0) }
      let found = try StoredModel.named("no-such-folder/", in: store)
      #expect(found.path == other.path)
    }
  }

  @Test func aModelByARelativePath() throws {
    let path = Checkout.file("Weights/scenes").path
    let name = relative(path)
    let stored = try PhotoModel(name).stored
    #expect(stored.path.hasPrefix("/"))
    #expect(FileSystem.resolved(stored.path) == FileSystem.resolved(path))
    #expect(stored.name == name)
  }

  /// As earlier versions kept it.
  @Test func anIndexWithARelativePath() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    func problem(of path: String) async throws -> ApusError? {
      try library.index.store.write { try $0.execute(sql: "UPDATE model SET path = ?", arguments: [path]) }
      let searcher = try PhotoSearcher(library.index)
      return await #expect(throws: ApusError.self) { try await searcher.search("a circle") }
    }
    let relative = try await problem(of: "no-such-wsc")
    #expect(relative?.problem == "the model was indexed as 'no-such-wsc', from another folder")
    let absolute = try await problem(of: "/no-such-wsc")
    #expect(absolute?.problem == "the model that photographs were indexed with is not there")
    // Indexing once more mends it.
    try await library.update()
    let names = try await library.names("three red circles")
    #expect(names == ["a.png"])
  }

  @Test func aModelThroughALinkIsFoundByItsFolder() throws {
    let folder = try TemporaryFolder()
    let target = Checkout.file("Weights/scenes").path
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let store = try PhotoStore(creatingAt: "\(folder.path)/index")
    let model = try PhotoModel(link).stored
    _ = try store.write { try model.store(at: 1, in: $0) }
    let found = try StoredModel.named(target, in: store)
    #expect(found.path == link)
  }
}
