import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Quantizer

/// Files whose weights alone have fewer bits; `Tools/checks/quantize-check` has LiteRT run them.
struct WidenedWeightsTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func written(
    _ input: [UInt8], _ change: (inout TFLiteQuantizer.Options) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], report: QuantizationReport) {
    let input = try scratch.write("in.tflite", input)
    var options = TFLiteQuantizer.Options(.int8)
    (options.activations, options.replaces) = (.float, true)
    change(&options)
    let report = try TFLiteQuantizer(input, options).write(to: scratch.path + "/out.tflite")
    return (try FileBytes.read(scratch.path + "/out.tflite"), report)
  }

  private func outputs(_ bytes: [UInt8]) throws -> [Float] {
    var random = SeededRandom()
    let sample = try Tensor(random.floats(192), shape: Shape([1, 8, 8, 3]))
    let graph = try TFLiteImporter(TFLiteModel(bytes)).graph()
    return try Compiler.compile(graph).run([sample])[0].elements(of: Float.self)
  }

  @Test func weightsAreInt8WithAScaleForEachChannel() throws {
    let floats = try TFLiteWriter.bytes(SmallNetwork().draft)
    let (bytes, report) = try written(floats)
    let graph = try TFLiteModel(bytes).subgraphs[0]
    #expect(graph.operators.prefix(4).allSatisfy { $0.builtin == .DEQUANTIZE && $0.code.version == 5 })
    #expect(graph.operators.count == 4 + SmallNetwork().draft.steps.count)
    for (name, axis, count) in [("w1", 0, 6), ("w2", 3, 6), ("w3", 0, 6), ("w4", 0, 4)] {
      let source = try #require(graph.tensors.first { $0.name == name + "_int8" })
      let quantization = try #require(source.quantization?.parameters)
      #expect(source.type == .int8 && quantization.axis == axis && quantization.scales.count == count)
      let widened = try #require(graph.tensors.first { $0.name == name })
      #expect(widened.type == .float32 && widened.data == nil && widened.quantization == nil)
    }
    #expect(graph.tensors[graph.inputs[0]].type == .float32)
    #expect(report.rows.count == 4 && report.rows.allSatisfy { $0.to == "int8" && $0.clipping != nil })
    #expect(report.calibration == nil)
    #expect(try FolderSample.decibels(outputs(bytes), outputs(floats)) > 35)
  }

  /// The file holds the numbers that the integers stand for: weights that are such numbers stay as they are.
  @Test func whatIsWrittenTwiceStays() throws {
    let once = try written(TFLiteWriter.bytes(SmallNetwork().draft)).bytes
    let twice = try written(once).bytes
    #expect(try FolderSample.decibels(outputs(twice), outputs(once)) > 100)
    #expect(twice.count < once.count + 1024)
  }

  @Test func weightsOfFloat16AreTakenToo() throws {
    let half = try written(TFLiteWriter.bytes(SmallNetwork().draft)) { $0.target = .f16 }.bytes
    let (bytes, report) = try written(half)
    let graph = try TFLiteModel(bytes).subgraphs[0]
    #expect(report.rows.count == 4 && graph.operators.count == 4 + SmallNetwork().draft.steps.count)
    #expect(!graph.tensors.contains { $0.type == .float16 && $0.data != nil })
    #expect(try FolderSample.decibels(outputs(bytes), outputs(half)) > 35)
  }

  @Test func layersCanBeKept() throws {
    let (bytes, report) = try written(TFLiteWriter.bytes(SmallNetwork().draft)) { $0.kept = ["w4", "stem"] }
    let graph = try TFLiteModel(bytes).subgraphs[0]
    #expect(graph.tensors.compactMap { $0.type == .int8 ? $0.name : nil } == ["w2_int8", "w3_int8"])
    #expect(report.rows.filter { $0.reason == QuantizationReport.keptReason }.count == 4)
  }

  @Test func weightsThatAreNotFiniteAreNamed() throws {
    var network = SmallNetwork()
    let place = try #require(network.draft.tensors.firstIndex { $0.name == "w3" })
    network.draft.tensors[place].data?.replaceSubrange(8..<12, with: [0, 0, 0xC0, 0x7F])
    let error = try #require(throws: ApusError.self) { try written(TFLiteWriter.bytes(network.draft)) }
    #expect(error.kind == .malformedModel && error.description.contains("w3"))
  }

  /// Inputs that are far from 0 on average show what rounding weights does to the mean, and biases make up for it.
  @Test func biasesAreCorrectedWithSamples() throws {
    let floats = try TFLiteWriter.bytes(SmallNetwork().draft)
    var random = SeededRandom()
    let samples = try Tensor(random.floats(40 * 192).map { 3 + $0 / 4 }, shape: Shape([40, 8, 8, 3]))
    try scratch.write("samples/x.npy", try Npy.bytes(samples))
    let (bytes, report) = try written(floats) { $0.calibration = scratch.path + "/samples" }
    let calibration = try #require(report.calibration)
    #expect(calibration.trials.map(\.method) == ["biases as they were", "biases corrected"])
    #expect(calibration.method == "biases corrected" && calibration.count == 10)
    #expect(calibration.trials[1].scores.decibels > calibration.trials[0].scores.decibels + 1)
    #expect(calibration.activations.isEmpty)
    #expect(try bytes.count == written(floats).bytes.count)
  }

  @Test func whatIsForIntegersIsRefused() throws {
    let file = try scratch.write("in.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    var options = ModelQuantizer.Options(.int8)
    (options.activations, options.methods) = (.float, [.extremes])
    #expect { try ModelQuantizer(file, options) } throws: { ($0 as? ApusError)?.kind == .argument }
    options = .init(.f16)
    options.activations = .float
    #expect { try ModelQuantizer(file, options) } throws: { ($0 as? ApusError)?.kind == .argument }
  }
}
