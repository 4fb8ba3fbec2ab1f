import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Models that are read and written again say the same.
struct TFLiteWriterTests {
  /// All that a model says, to be compared.
  private func description(_ model: TFLiteModel, _ bytes: [UInt8]) -> [String] {
    let graph = model.subgraphs[0]
    let tensors = graph.tensors.map { tensor in
      "\(tensor.name) \(tensor.type) \(tensor.shape) \(tensor.shapeSignature) "
        + "\(String(describing: tensor.quantization?.parameters)) "
        + "\(tensor.data.map { bytes[$0].reduce(into: Hasher()) { $0.combine($1) }.finalize() } ?? 0)"
    }
    let steps = graph.operators.map { step in
      "\(step.code.name) \(step.code.version) \(step.inputs) \(step.outputs) \(String(describing: step.options))"
    }
    let signatures = model.signatures.map { "\($0)" }
    return [model.description, graph.name, "\(graph.inputs) \(graph.outputs)"] + tensors + steps + signatures
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"))
  func realModelsComeBack() throws {
    let root = SharedData.path("tflite")
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".tflite") }
    var written = 0
    for name in names.sorted() {
      let size = try FileManager.default.attributesOfItem(atPath: root + "/" + name)[.size] as? Int ?? 0
      guard size < 1 << 20 else { continue }
      let bytes = try FileBytes.read(root + "/" + name)
      guard let model = try? TFLiteModel(bytes), let draft = try? TFLiteDraft(model),
        let again = try? TFLiteWriter.bytes(draft)
      else { continue }
      #expect(description(try TFLiteModel(again), again) == description(model, bytes), "\(name)")
      #expect(try TFLiteWriter.bytes(draft) == again)
      written += 1
    }
    #expect(written * 10 > names.count * 8, "\(written) of \(names.count)")
  }

  private func sample() -> TFLiteDraft {
    var draft = TFLiteDraft()
    draft.description = "a sample"
    let data: [UInt8] = [1, 2, 3, 4]
    let x = draft.add(.init("x", .float32, [1, 2], signature: [-1, 2]))
    let weights = draft.add(
      .init(
        "w", .int8, [2, 2], data: data,
        quantization: try? Quantization(scales: [0.5, 2], zeroPoints: [0, 0], axis: 0)))
    let twin = draft.add(.init("twin", .uint8, [4], data: data))
    let y = draft.add(.init("y", .float32, [1, 2]))
    let z = draft.add(.init("z", .float32, []))
    draft.steps = [
      .init(.SOFTMAX, inputs: [x], outputs: [y], options: SoftmaxOptions(beta: 0.25)),
      .init(.BROADCAST_TO, version: 3, inputs: [weights, nil, twin], outputs: [z]),
    ]
    draft.inputs = [x]
    draft.outputs = [y, z]
    draft.signatures = [.init(key: "serve", inputs: [("in", x)], outputs: [("out", y)])]
    draft.metadata = [("NOTE", [9, 9]), ("TWIN", data)]
    return draft
  }

  @Test func everyPartComesBack() throws {
    let bytes = try TFLiteWriter.bytes(sample())
    let model = try TFLiteModel(bytes)
    let graph = model.subgraphs[0]
    #expect(model.description == "a sample")
    #expect(graph.tensors.map(\.name) == ["x", "w", "twin", "y", "z"])
    #expect(graph.tensors[0].shapeSignature == [-1, 2])
    #expect(graph.tensors[1].quantization?.parameters?.scales == [0.5, 2])
    #expect(graph.tensors[1].quantization?.parameters?.axis == 0)
    #expect(graph.tensors.allSatisfy { $0.hasRank })
    #expect(graph.operators[0].options as? SoftmaxOptions == SoftmaxOptions(beta: 0.25))
    // A number over 127 goes into the wide field.
    #expect(graph.operators[1].builtin == .BROADCAST_TO && graph.operators[1].code.version == 3)
    #expect(graph.operators[1].inputs == [1, nil, 2])
    #expect(model.signatures[0].outputs == [.init(name: "out", tensor: 3)])
    #expect(model.metadata.map(\.name) == ["NOTE", "TWIN"])
    #expect(Array(bytes[model.metadata[0].data]) == [9, 9])
    // Like constants share a buffer, and buffers can be mapped.
    #expect(graph.tensors[1].buffer == graph.tensors[2].buffer)
    #expect(graph.tensors[1].buffer == model.metadata[1].buffer)
    for tensor in graph.tensors { #expect(tensor.data?.lowerBound.isMultiple(of: 16) != false) }
  }

  @Test func aNumberOver32BitsIsRefused() {
    var draft = sample()
    draft.tensors[0].shape = [1 << 40]
    let error = #expect(throws: ApusError.self) { try TFLiteWriter.bytes(draft) }
    #expect(error?.kind == .argument)
  }

  @Test func compositesAreNotWritten() {
    var draft = sample()
    draft.steps[0] = .init(
      .STABLEHLO_COMPOSITE, inputs: [0], outputs: [3],
      options: CompositeOptions(name: "a", decomposition: 1, version: 1))
    let error = #expect(throws: ApusError.self) { try TFLiteWriter.bytes(draft) }
    #expect(error?.kind == .unsupportedModel)
  }
}
