import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Quantizer

/// Operators that stay floats among integers.
struct KeptOperatorTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func written(
    _ kept: [String], _ network: SmallNetwork = SmallNetwork(),
    _ change: (inout TFLiteQuantizer.Options) -> Void = { _ in }
  ) throws -> (model: TFLiteModel, bytes: [UInt8], report: QuantizationReport) {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(network.draft))
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try SmallNetwork.writeSamples(40, to: scratch)
    options.methods = [.extremes]
    (options.kept, options.replaces) = (kept, true)
    change(&options)
    let output = scratch.path + "/out.tflite"
    let report = try TFLiteQuantizer(input, options).write(to: output)
    let bytes = try FileBytes.read(output)
    return (try TFLiteModel(bytes), bytes, report)
  }

  private func names(_ model: TFLiteModel) -> [String] { model.subgraphs[0].operators.map(\.code.name) }

  /// A layer in the middle, by its result: one seam before it and one for each way its result is used.
  @Test func seamsStandAroundALayer() throws {
    let (model, bytes, report) = try written(["linear"])
    let expected = [
      "CONV_2D", "PAD", "DEPTHWISE_CONV_2D", "DEQUANTIZE", "CONV_2D", "QUANTIZE", "ADD", "MAX_POOL_2D",
      "CONCATENATION", "MEAN", "FULLY_CONNECTED", "SOFTMAX",
    ]
    #expect(names(model) == expected)
    let graph = model.subgraphs[0]
    let layer = graph.operators[4]
    let operands = layer.inputs.compactMap { $0 }.map { graph.tensors[$0] }
    #expect(operands.allSatisfy { $0.type == .float32 } && layer.code.version == 1)
    #expect(graph.tensors[layer.outputs[0]].name == "linear")
    let source = try #require(SmallNetwork().draft.tensors.first { $0.name == "w3" }?.data)
    let stored = try #require(operands[1].data)
    #expect(Array(bytes[stored]) == source)
    #expect(graph.tensors[graph.inputs[0]].type == .int8 && graph.tensors[graph.outputs[0]].type == .int8)
    let kept = report.rows.filter { $0.reason == QuantizationReport.keptReason }
    #expect(kept.map(\.name) == ["operator 3 (CONV_2D): w3", "operator 3 (CONV_2D): b3"])
    #expect(kept.allSatisfy { $0.to == "float32" && $0.error == nil })
    let card = try String(decoding: FileBytes.read(#require(report.card)), as: UTF8.self)
    #expect(card.contains("kept in floats | | `operator 3 (CONV_2D): w3`"))
  }

  /// The more is kept, the less is lost.
  @Test func keptLayersErrLess() throws {
    func error(_ kept: [String]) throws -> Double {
      try #require(try written(kept).report.calibration).outputs.decibels
    }
    let (all, most) = (try error([]), try error(["*CONV_2D*", "logits", "sum", "mean", "scores"]))
    #expect(most > all + 3, "\(most) dB, \(all) dB")
  }

  @Test(arguments: [false, true])
  func theEndsMayBeKept(_ takesFloats: Bool) throws {
    let model = try written(["stem", "operator 8 *", "scores"]) { $0.takesFloats = takesFloats }.model
    let graph = model.subgraphs[0]
    let (input, output) = (graph.tensors[graph.inputs[0]], graph.tensors[graph.outputs[0]])
    #expect(input.name == "x" && output.name == "scores")
    #expect(input.type == (takesFloats ? .float32 : .int8) && output.type == (takesFloats ? .float32 : .int8))
    // Softmax as well as what it is given stays in floats, with no seam between them.
    let end = names(model).suffix(takesFloats ? 3 : 4)
    #expect(end == ["DEQUANTIZE", "FULLY_CONNECTED", "SOFTMAX"] + (takesFloats ? [] : ["QUANTIZE"]))
    #expect(names(model).first == (takesFloats ? "CONV_2D" : "DEQUANTIZE"))
  }

  @Test func operatorsWithoutAnInt8FormCanBeKept() throws {
    var network = SmallNetwork()
    let scores = network.draft.outputs[0]
    let roots = network.draft.add(.init("roots", .float32, [1, 4]))
    network.draft.steps.append(.init(.SQRT, inputs: [scores], outputs: [roots]))
    network.draft.outputs = [roots]
    let model = try written(["roots"], network).model
    #expect(names(model).suffix(3) == ["DEQUANTIZE", "SQRT", "QUANTIZE"])
  }

  @Test func namesThatAreNoneAreRefusedWithThoseThatAreNear() throws {
    for pattern in ["linaer", "*liner*"] {
      let error = try #require(throws: ApusError.self) { try written([pattern]) }
      #expect(error.kind == .argument && error.problem.contains(pattern))
      #expect(error.advice?.contains("'linear'") == true)
    }
    let all = try #require(throws: ApusError.self) { try written(["*"]) }
    #expect(all.kind == .argument && all.problem.contains("all operators"))
    let folder = try #require(throws: ApusError.self) {
      try FolderSample("vit").quantized(.int8, to: scratch.path + "/vit") { $0.kept = ["clasifier.weight"] }
    }
    #expect(folder.kind == .argument && folder.advice?.contains("'classifier.weight'") == true)
  }
}
