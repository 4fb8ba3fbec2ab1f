import Foundation
import Graph
import Models
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Quantizer

/// A small network becomes one of integers that keeps TFLite's rules and stays near the floats.
struct TFLiteQuantizerTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func written(
    _ target: QuantizationTarget = .int8, _ change: (inout TFLiteQuantizer.Options) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], model: TFLiteModel, report: QuantizationReport) {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    var options = TFLiteQuantizer.Options(target)
    if target == .int8 { options.calibration = try SmallNetwork.writeSamples(40, to: scratch) }
    options.replaces = true
    change(&options)
    let output = scratch.path + "/out.tflite"
    let report = try TFLiteQuantizer(input, options).write(to: output)
    let bytes = try FileBytes.read(output)
    #expect(report.fileBytesAfter == bytes.count)
    return (bytes, try TFLiteModel(bytes), report)
  }

  private func tensor(_ name: String, _ model: TFLiteModel) throws -> TFLiteTensor {
    try #require(model.subgraphs[0].tensors.first { $0.name == name })
  }

  /// What was seen of the samples once stands for seeing it again, whichever layers are kept.
  @Test(arguments: [ActivationType.int8, .float])
  func rememberedObservationsChangeNothing(_ activations: ActivationType) throws {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    let samples = try SmallNetwork.writeSamples(40, to: scratch)
    let output = scratch.path + "/out.tflite"
    let memory = ObservationMemory()
    for kept in [[], ["narrow"], ["stem", "scores"], []] {
      let written = try [nil, memory].map { memory in
        var options = TFLiteQuantizer.Options(.int8)
        (options.activations, options.calibration, options.kept) = (activations, samples, kept)
        (options.memory, options.replaces) = (memory, true)
        let report = try TFLiteQuantizer(input, options).write(to: output)
        return (bytes: try FileBytes.read(output), trials: report.calibration?.trials.map(\.scores))
      }
      #expect(written[0].bytes == written[1].bytes && written[0].trials == written[1].trials, "\(kept)")
    }
  }

  /// What DENSIFY gives is a constant like others; a sparse encoding itself is not written.
  @Test func sparseWeightsBecomeDenseIntegers() throws {
    let bytes = try FileBytes.read(Checkout.fixture("sparse/linear_densified.tflite").path)
    let input = try scratch.write("sparse.tflite", bytes)
    var random = SeededRandom()
    let samples = try Tensor(random.floats(512), shape: Shape([64, 8]))
    try scratch.write("rows/x.npy", try Npy.bytes(samples))
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = scratch.path + "/rows"
    let output = scratch.path + "/out.tflite"
    _ = try TFLiteQuantizer(input, options).write(to: output)
    let written = try TFLiteModel(FileBytes.read(output)).subgraphs[0]
    #expect(written.operators.map(\.builtin) == [.FULLY_CONNECTED])
    #expect(!written.tensors.contains { $0.isSparse })
    options = TFLiteQuantizer.Options(.f16)
    let other = scratch.path + "/half.tflite"
    let error = #expect(throws: ApusError.self) { try TFLiteQuantizer(input, options).write(to: other) }
    #expect(error?.problem == "a sparse encoding, which is not written")
  }

  @Test func keepsTheRulesOfTheSpecification() throws {
    let (bytes, model, _) = try written()
    let graph = model.subgraphs[0]
    let parameters = { (name: String) in try #require(tensor(name, model).quantization?.parameters) }
    #expect(try tensor("x", model).type == .int8 && tensor("scores", model).type == .int8)
    #expect(try parameters("scores") == Quantization(scales: [1 / 256], zeroPoints: [-128]))
    for (name, axis, count) in [("w1", 0, 6), ("w2", 3, 6), ("w3", 0, 6), ("w4", 0, 4)] {
      let weights = try parameters(name)
      #expect(weights.axis == axis && weights.scales.count == count, "\(name)")
      #expect(weights.zeroPoints.allSatisfy { $0 == 0 })
      let stored = bytes[try #require(tensor(name, model).data)].map { Int8(bitPattern: $0) }
      #expect(stored.min() ?? 0 >= -127 && stored.contains { abs(Int($0)) == 127 })
    }
    for step in graph.operators where step.inputs.count == 3 && step.builtin != .PAD {
      let scale = { (place: Int) in
        try #require(step.inputs[place].flatMap { graph.tensors[$0].quantization?.parameters })
      }
      let bias = try scale(2)
      let input = try scale(0).scale
      #expect(try bias.scales == scale(1).scales.map { $0 * input })
      #expect(try graph.tensors[#require(step.inputs[2])].type == .int32)
    }
    // Pool, pad and concatenation pass numbers on as they are.
    #expect(try parameters("sum") == parameters("both") && parameters("pooled") == parameters("sum"))
    #expect(try parameters("padded") == parameters("stem"))
    #expect(try parameters("mean") != parameters("both"))
    // Fused activations stay, and bound the range.
    #expect(try parameters("stem").scale <= 6 / 254.9 && parameters("stem").zeroPoint == -128)
    #expect(graph.operators.map(\.code.name) == SmallNetwork().draft.steps.map(\.builtin.name))
    let versions = Dictionary(graph.operators.map { ($0.code.name, $0.code.version) }) { first, _ in first }
    #expect(versions["CONV_2D"] == 3 && versions["FULLY_CONNECTED"] == 4 && versions["ADD"] == 2)
    #expect(model.signatures[0].inputs == [.init(name: "image", tensor: graph.inputs[0])])
    #expect(model.signatures[0].outputs == [.init(name: "scores", tensor: graph.outputs[0])])
    #expect(model.metadata.map(\.name) == ["NOTE"])
  }

  @Test func staysNearTheFloats() throws {
    let report = try written().report
    let calibration = try #require(report.calibration)
    let methods = ["extremes", "percentile", "least-error"]
    #expect(calibration.trials.map(\.method) == methods.flatMap { [$0, "\($0), biases corrected"] })
    let best = try #require(calibration.trials.map(\.scores.decibels).max())
    #expect(calibration.trials.first { $0.method == calibration.method }?.scores.decibels == best)
    #expect(best > 25, "\(best) dB")
    #expect(calibration.count == 10 && calibration.agreeing >= 8)
    #expect(calibration.activations.count == 11)
    for activation in calibration.activations {
      #expect(activation.error.decibels > 15, "\(activation.name)")
    }
    #expect(report.rows.map(\.role) == ["CONV_2D", "DEPTHWISE_CONV_2D", "CONV_2D", "FULLY_CONNECTED"])
    #expect(report.rows.allSatisfy { ($0.error?.decibels ?? 0) > 35 })
  }

  @Test func floatsCanStayOutside() throws {
    let (_, model, _) = try written { $0.takesFloats = true }
    let graph = model.subgraphs[0]
    #expect(graph.operators.first?.builtin == .QUANTIZE && graph.operators.last?.builtin == .DEQUANTIZE)
    #expect(graph.tensors[graph.inputs[0]].type == .float32 && graph.tensors[graph.inputs[0]].name == "x")
    #expect(graph.tensors[graph.outputs[0]].name == "scores")
    #expect(graph.tensors[graph.outputs[0]].quantization == nil)
  }

  /// Samples that judge have no part in ranges: one that is ten times as large moves no scale, and is seen.
  @Test func samplesThatJudgeAreNotCalibratedOn() throws {
    func calibration(_ place: Int, _ count: Int) throws -> CalibrationReport {
      var random = SeededRandom()
      var values = random.floats(count * 192)
      for index in place * 192..<(place + 1) * 192 { values[index] *= 10 }
      let samples = try Tensor(values, shape: Shape([count, 8, 8, 3]))
      try scratch.write("large/x.npy", try Npy.bytes(samples))
      return try #require(
        try written { ($0.calibration, $0.methods) = (scratch.path + "/large", [.extremes]) }.report
          .calibration)
    }
    func range(_ report: CalibrationReport) throws -> Float {
      try #require(report.activations.first).seen.upper
    }
    let judged = try calibration(7, 12)
    #expect(try range(judged) < 1.1 && range(calibration(6, 12)) > 5)
    #expect(judged.count == 3 && judged.samples.hasSuffix("every fourth kept to judge by"))
    #expect(try range(calibration(1, 2)) < 1.1 && range(calibration(0, 2)) > 5)
    let alone = try calibration(0, 1)
    #expect(try range(alone) > 5 && alone.count == 1 && !alone.samples.contains("judge"))
  }

  @Test func theSameFilesGiveTheSameBytes() throws {
    #expect(try written { $0.threads = 1 }.bytes == written { $0.threads = 3 }.bytes)
  }

  @Test func oneWayToRangesCanBeAskedFor() throws {
    let calibration = try #require(try written { $0.methods = [.percentile] }.report.calibration)
    #expect(calibration.trials.count == 2 && calibration.method.hasPrefix("percentile"))
  }

  /// A bias that would not fit 32 bits at the weights' own scale makes that scale larger.
  @Test func largeBiasesAreKept() throws {
    var network = SmallNetwork()
    let place = try #require(network.draft.tensors.firstIndex { $0.name == "b3" })
    network.draft.tensors[place].data = SmallNetwork.bytes([1e7, 0, 0, 0, 0, 0])
    let input = try scratch.write("large.tflite", TFLiteWriter.bytes(network.draft))
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try SmallNetwork.writeSamples(4, to: scratch)
    _ = try TFLiteQuantizer(input, options).write(to: scratch.path + "/out.tflite")
    let bytes = try FileBytes.read(scratch.path + "/out.tflite")
    let bias = try tensor("b3", TFLiteModel(bytes))
    let stored = bytes[try #require(bias.data)].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    let scale = try #require(bias.quantization?.parameters?.scales[0])
    #expect(abs(Float(stored) * scale - 1e7) < 1 && stored <= 1 << 29)
  }

  @Test func halfPrecisionWeightsAreWidenedFirst() throws {
    let (bytes, model, report) = try written(.f16)
    let graph = model.subgraphs[0]
    #expect(graph.operators.prefix(4).allSatisfy { $0.builtin == .DEQUANTIZE })
    #expect(report.rows.count == 4 && report.rows.allSatisfy { $0.to == "float16" })
    let before = try TFLiteWriter.bytes(SmallNetwork().draft)
    var random = SeededRandom()
    let sample = try Tensor(random.floats(192), shape: Shape([1, 8, 8, 3]))
    let outputs = try [before, bytes].map { bytes in
      let graph = try TFLiteImporter(TFLiteModel(bytes)).graph()
      return try Compiler.compile(graph).run([sample])[0].elements(of: Float.self)
    }
    #expect(FolderSample.decibels(outputs[1], outputs[0]) > 50)
    #expect(model.metadata.map(\.name) == ["NOTE"])
  }

  /// A file with float16 weights gives the model that the same numbers in float32 give.
  @Test func halfPrecisionWeightsAreFolded() throws {
    let half = try written(.f16).bytes
    let input = try scratch.write("half.tflite", half)
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try SmallNetwork.writeSamples(10, to: scratch)
    let report = try TFLiteQuantizer(input, options).write(to: scratch.path + "/int8.tflite")
    let model = try TFLiteModel(FileBytes.read(scratch.path + "/int8.tflite"))
    #expect(model.subgraphs[0].operators.count == 10)
    #expect(report.calibration?.count == 2 && report.calibration?.agreeing ?? 0 >= 1)
  }

  @Test func labelsBehindTheModelStay() throws {
    let labels = [("labels.txt", Array("a\nb\nc\nd\n".utf8))]
    let input = try scratch.write(
      "labelled.tflite", TFLiteWriter.bytes(SmallNetwork().draft) + ZipWriter.archive(labels))
    _ = try TFLiteQuantizer(input, .init(.f16)).write(to: scratch.path + "/out.tflite")
    let archive = try ZipArchive.atEnd(of: FileBytes.read(scratch.path + "/out.tflite"))
    #expect(try archive?.contents(of: "labels.txt") == labels[0].1)
  }
}
