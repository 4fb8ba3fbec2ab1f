import Graph
import Networks
import TestSupport
import Testing

/// The places of a picture that a tower pools are found in its graph.
@Suite struct LastPlacesTests {
  /// SigLIP's places are those of its patches; CLIP's and a ViT's have the class token before them.
  @Test(arguments: [("siglip", [9, 24]), ("clip", [10, 24]), ("open-clip", [10, 24]), ("vit", [10, 24])])
  func aTowerPoolsItsPatches(_ name: String, _ shape: [Int]) throws {
    let opened = try OpenedModel(Checkout.modelFolder(name))
    let graph = try #require(try opened.network(for: .image)).graph()
    #expect(try graph[#require(graph.lastPlaces)].type.shape.dimensions == shape)
  }

  @Test func aConvolutionsPlacesAreThoseOfItsInput() throws {
    let graph = try OpenedModel(Checkout.modelFolder("mobilenetv2")).networks[0].graph()
    let extents = try graph[#require(graph.lastPlaces)].type.shape.dimensions
    #expect(extents.count == 4 && extents[1] * extents[2] > 1)
  }

  @Test func aGraphWithoutLayersHasNone() {
    var builder = GraphBuilder()
    builder.output(builder.input("x", .init(.float32, .vector(3))))
    #expect(builder.graph.lastPlaces == nil)
  }
}
