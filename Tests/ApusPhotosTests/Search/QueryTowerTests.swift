import Apus
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// A model of queries is opened once, and what people should know of it is read without waiting for that.
@Suite struct QueryTowerTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("clip"))
    try folder.write("meta.json", "[1]")
    return folder
  }

  @Test func notesCanBeReadWhileTheModelIsOpened() throws {
    let clip = try folder()
    let tower = QueryTower<ImageEmbedder>()
    let first = try tower.opened { () throws(ApusError) in
      // Whoever waits for the model here never goes on.
      #expect(tower.notes.isEmpty)
      return try ImageEmbedder(clip.path)
    }
    #expect(tower.notes == ["meta.json beside the model is no JSON object: passed over"])
    let second = try tower.opened { () throws(ApusError) -> ImageEmbedder in
      throw ApusError(.file, "opened again")
    }
    #expect(first === second)
  }

  @Test func aModelThatCouldNotBeOpenedIsTriedAnew() throws {
    let tower = QueryTower<ImageEmbedder>()
    let error = #expect(throws: ApusError.self) {
      try tower.opened { () throws(ApusError) in try ImageEmbedder("/no-such-folder") }
    }
    #expect(error?.kind == .file && tower.notes.isEmpty)
    let clip = try folder()
    let opened = try tower.opened { () throws(ApusError) in try ImageEmbedder(clip.path) }
    #expect(tower.notes == opened.notes && opened.notes.count == 1)
  }
}
