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

  /// What the last layer takes at each resolution, from 64 × 64 to 4 × 4: in all forms the very values of one network.
  @Test(arguments: ["float32", "fp16", "int8"]) func aNetworkOfPicturesHasScales(_ name: String) throws {
    let path = Checkout.file("Weights/rice-leaf/rice_v1_\(name).tflite").path
    let graph = try OpenedModel(path).networks[0].graph()
    #expect(
      graph.scales.map { graph[$0].type.shape.dimensions } == [
        [1, 64, 64, 48], [1, 32, 32, 96], [1, 16, 16, 96], [1, 8, 8, 288], [1, 4, 4, 160],
      ])
  }
}
