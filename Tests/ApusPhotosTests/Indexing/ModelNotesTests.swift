import Apus
import TestSupport
import Testing

@testable import ApusPhotos

/// What is passed over beside a model is told to who indexes with it, and to who searches once a query opened it.
@Suite struct ModelNotesTests {
  @Test func theModelAndASearchTellIt() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("clip"))
    try folder.write("meta.json", "[1]")
    let notes = ["meta.json beside the model is no JSON object: passed over"]
    let model = try PhotoModel(folder.path, options: .init(precision: .float32))
    #expect(model.notes == notes)
    try await library.index.update([library.path], with: model)
    let searcher = try PhotoSearcher(library.index)
    _ = try await searcher.search("beach")
    // The tower for texts reads no such file.
    #expect(searcher.notes.isEmpty)
    let pixels = [UInt8](repeating: 9, count: 8 * 8 * 3)
    let other = Picture.pixels(try RGBImage(width: 8, height: 8, pixels: pixels))
    let query = try PhotoQuery([], like: [other])
    _ = try await searcher.search(query)
    #expect(searcher.notes == notes)
  }

  @Test func nothingIsSaidWhereNothingIsPassedOver() throws {
    let model = try Library.model.get()
    #expect(model.notes.isEmpty)
  }
}
