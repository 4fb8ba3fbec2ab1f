import Graph
import Networks
import TensorCore
import TestSupport
import Testing

/// What scores are made of is found at the end of a graph.
@Suite struct ClassifierHeadTests {
  private func graph(_ path: String) throws -> Graph { try OpenedModel(path).networks[0].graph() }

  @Test(arguments: ["float32", "fp16", "int8"]) func aFileShowsWhatSoftmaxAndTheLastLayerTake(_ name: String)
    throws
  {
    let graph = try graph(Checkout.file("Weights/rice-leaf/rice_v1_\(name).tflite").path)
    let head = ClassifierHead(of: graph)
    let logits = try #require(head.logits), features = try #require(head.features)
    #expect(graph[logits].type.shape.dimensions == [1, 3])
    #expect(graph[features].type.shape.dimensions == [1, 1280])
  }

  @Test(arguments: [
    ("vit", 24), ("convnext", 40), ("mobilenetv2", 128), ("dinov2-classifier", 64), ("resnet", 20),
    ("resnet-timm", 24), ("beit", 24), ("swin", 24), ("mobilenetv3-timm", 24), ("efficientnet-timm", 24),
    ("vit-timm", 24), ("vit-timm-mean", 24),
  ])
  func aFolderEndsInItsLastLayer(_ name: String, _ width: Int) throws {
    let graph = try graph(Checkout.modelFolder(name))
    let head = ClassifierHead(of: graph)
    #expect(head.logits == nil)
    #expect(try graph[#require(head.features)].type.shape.dimensions.last == width)
  }

  /// The mean of two heads has no one last layer.
  @Test func severalLastLayersAreNone() throws {
    #expect(ClassifierHead(of: try graph(Checkout.modelFolder("deit-distilled"))).features == nil)
  }

  @Test func anOutputThatIsAnInputShowsNothing() throws {
    var builder = GraphBuilder()
    builder.output(builder.input("x", .init(.float32, .vector(3))))
    let head = ClassifierHead(of: builder.graph)
    #expect(head.logits == nil && head.features == nil)
    #expect(ClassifierHead(of: builder.graph, output: 1).features == nil)
  }
}
