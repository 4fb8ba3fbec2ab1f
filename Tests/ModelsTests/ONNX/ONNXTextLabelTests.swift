import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Labels that are texts come as their positions, and nothing else is done with texts.
struct ONNXTextLabelTests {
  private func builder(_ type: String, domain: String) -> ONNXBuilder {
    var builder = ONNXBuilder()
    builder.input("place", type: 7, [2])
    var labels = ONNXBuilder.tensor("labels", type: 8, [3])
    for label in ["cat", "dog", "emu"] { labels.add(6, label) }
    builder.graph.add(5, labels)
    builder.node(type, ["labels", "place"], ["label"], domain: domain)
    builder.output("label", type: 8, [1, 2])
    var version = ProtobufBytes()
    version.add(1, "ai.onnx.ml")
    version.add(2, 3)
    builder.others.add(8, version)
    return builder
  }

  @Test func aLabelIsItsPosition() throws {
    let builder = builder("ArrayFeatureExtractor", domain: "ai.onnx.ml")
    let importer = ONNXImporter(try ONNXModel(StoredBytes(builder.build())), folder: "")
    #expect(try importer.interface().outputs[0].type.dataType == .int64)
    let graph = try importer.graph(shapes: [:], values: [:])
    let found = try Compiler.compile(graph, CompileOptions()).run([Tensor([2, 0] as [Int64])])
    #expect(try found[0].elements(of: Int64.self) == [2, 0])
  }

  @Test func textsAreNotComparedOrGathered() throws {
    for type in ["Equal", "Gather", "Concat"] {
      let importer = ONNXImporter(try ONNXModel(StoredBytes(builder(type, domain: "").build())), folder: "")
      let error = #expect(throws: ApusError.self) { try importer.graph(shapes: [:], values: [:]) }
      #expect(error?.problem == "elements of type string")
    }
  }
}
