import Apus
import Foundation
import GRDB
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

  @Test func aModelByARelativePath() throws {
    let path = Checkout.file("Weights/scenes").path
    let depth = here.split(separator: "/").count
    let name: String = String(repeating: "../", count: depth) + String(path.dropFirst())
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
