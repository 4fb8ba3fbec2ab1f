import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Quantizer

/// Activations of 16 bits; `Tools/checks/quantize-check` has LiteRT run such files.
struct WideActivationTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func written(
    _ network: SmallNetwork = SmallNetwork(), _ activations: ActivationType = .int16,
    _ change: (inout TFLiteQuantizer.Options) -> Void = { _ in }
  ) throws -> (model: TFLiteModel, report: QuantizationReport) {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(network.draft))
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try SmallNetwork.writeSamples(40, to: scratch)
    (options.activations, options.replaces) = (activations, true)
    change(&options)
    let report = try TFLiteQuantizer(input, options).write(to: scratch.path + "/out.tflite")
    return (try TFLiteModel(FileBytes.read(scratch.path + "/out.tflite")), report)
  }

  @Test func keepsTheRulesOfTheScheme() throws {
    let graph = try written().model.subgraphs[0]
    let tensor = { (name: String) in try #require(graph.tensors.first { $0.name == name }) }
    let parameters = { (name: String) in try #require(tensor(name).quantization?.parameters) }
    #expect(try tensor("x").type == .float32 && tensor("scores").type == .float32)
    #expect(graph.operators.first?.builtin == .QUANTIZE && graph.operators.first?.code.version == 2)
    #expect(graph.operators.last?.builtin == .DEQUANTIZE && graph.operators.last?.code.version == 3)
    #expect(try parameters("scores_int16") == Quantization(scales: [1 / 32768], zeroPoints: [0]))
    for name in ["x_int16", "stem", "linear", "sum", "both", "mean", "logits"] {
      #expect(try tensor(name).type == .int16)
      #expect(try parameters(name).zeroPoints == [0])
    }
    #expect(try parameters("stem").scale <= 6 / 32766)
    #expect(try parameters("both") == parameters("sum"))
    for step in graph.operators where step.inputs.count == 3 && step.builtin != .PAD {
      let operands = step.inputs.compactMap { $0 }.map { graph.tensors[$0] }
      #expect(operands.map(\.type) == [.int16, .int8, .int64])
      let scales = try operands.map { try #require($0.quantization?.parameters).scales }
      #expect(scales[2] == scales[1].map { $0 * scales[0][0] })
    }
    let addition = try #require(graph.operators.first { $0.builtin == .ADD }?.options as? AdditionOptions)
    #expect(!addition.powerOfTwoScale)
  }

  /// Nearer to the floats than int8, as far as the weights allow; one way to ranges is enough.
  @Test func activationsErrLessThanThoseOfInt8() throws {
    let wide = try written().report
    let card = try String(decoding: FileBytes.read(#require(wide.card)), as: UTF8.self)
    #expect(wide.activations == .int16)
    #expect(card.contains("with its weights in int8 and its activations in int16"))
    let calibration = try #require(wide.calibration)
    #expect(calibration.trials.map(\.method) == ["extremes", "extremes, biases corrected"])
    let narrow = try #require(
      try written(SmallNetwork(), .int8) { $0.methods = [.extremes] }.report.calibration)
    // The input is rounded and nothing else, the stem's results have the weights' errors too.
    let errors = [calibration, narrow].map { $0.activations.map(\.error.decibels) }
    #expect(errors[0][0] > 90 && errors[0][0] > errors[1][0] + 40)
    #expect(errors[0][1] > errors[1][1] && calibration.outputs.decibels > 25)
  }

  @Test func constantsHave16Bits() throws {
    var network = SmallNetwork()
    let place = try #require(network.draft.steps.firstIndex { $0.builtin == .ADD })
    let offsets = network.draft.add(
      .init("offsets", .float32, [6], data: SmallNetwork.bytes([1, -2, 0.5, 0, 3, -3])))
    network.draft.steps[place].inputs[1] = offsets
    let graph = try written(network).model.subgraphs[0]
    let stored = try #require(graph.tensors.first { $0.name == "offsets" })
    #expect(try stored.type == .int16 && #require(stored.data).count == 12)
    #expect(try abs(#require(stored.quantization?.parameters).scale - 3 / 32767) < 1e-9)
  }

  @Test func layersCanBeKept() throws {
    let graph = try written { $0.kept = ["linear"] }.model.subgraphs[0]
    let names = graph.operators.map(\.code.name)
    let place = try #require(
      graph.operators.firstIndex { $0.outputs.contains { graph.tensors[$0].name == "linear" } })
    #expect(names[place - 1] == "DEQUANTIZE" && names[place + 1] == "QUANTIZE")
  }

  @Test func operatorsWithoutAnInt16FormAreNamed() throws {
    var network = SmallNetwork()
    let place = try #require(network.draft.steps.firstIndex { $0.builtin == .MAX_POOL_2D })
    network.draft.steps[place] = .init(
      .HARD_SWISH, inputs: [network.draft.steps[place].inputs[0]], outputs: network.draft.steps[place].outputs
    )
    let error = try #require(throws: ApusError.self) { try written(network) }
    #expect(error.kind == .unsupportedModel && error.problem.contains("no int16 form is known of HARD_SWISH"))
    _ = try written(network) { $0.kept = ["pooled"] }
  }

  @Test func whatIsForInt8IsRefused() throws {
    let file = try scratch.write("in.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    var options = ModelQuantizer.Options(.int8, calibration: try SmallNetwork.writeSamples(2, to: scratch))
    (options.activations, options.methods) = (.int16, [.percentile])
    #expect { try ModelQuantizer(file, options) } throws: { ($0 as? ApusError)?.kind == .argument }
    options = .init(.int8)
    options.activations = .int16
    let folder = Checkout.modelFolder("vit")
    #expect { try ModelQuantizer(folder, options) } throws: { ($0 as? ApusError)?.kind == .argument }
  }
}
