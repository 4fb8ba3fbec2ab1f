import ApusQuantizer
import TestSupport
import Testing

/// What a program that quantizes models writes.
@Suite struct ModelQuantizerTests {
  @Test func aFolderIsWrittenAndRuns() throws {
    let folder = try TemporaryFolder()
    let (input, output) = (Checkout.modelFolder("bert-classifier"), folder.path + "/int8")
    let report = try ModelQuantizer(input, .init(.int8)).write(to: output)
    #expect(report.input == input && report.output == output && report.target == .int8)
    #expect(report.rows.contains { $0.to == "int8" } && report.error.decibels > 20)
    let classifier = try TextClassifier(output)
    #expect(try classifier.blocking.classify("a good film").predictions.count > 1)
    #expect { try ModelQuantizer(input, .init(.int8)).write(to: output) } throws: {
      ($0 as? ApusError)?.kind == .argument
    }
    var options = ModelQuantizer.Options(.f16)
    options.replaces = true
    #expect(try ModelQuantizer(input, options).write(to: output).rows.contains { $0.to == "float16" })
  }

  @Test func aFileIsWrittenAndRuns() throws {
    let folder = try TemporaryFolder()
    let input = Checkout.root.appendingPathComponent("Weights/rice-leaf/rice_v1_float32.tflite").path
    let output = folder.path + "/half.tflite"
    let report = try ModelQuantizer(input, .init(.f16)).write(to: output)
    #expect(report.fileBytesAfter < report.fileBytesBefore * 6 / 10 && report.calibration == nil)
    let (before, after) = (try InferenceSession(input), try InferenceSession(output))
    let pixels = (0..<before.inputs[0].shape.elementCount).map { Float($0 % 255) / 127.5 - 1 }
    let tensor = try Tensor(pixels, shape: before.inputs[0].shape)
    let (expected, found) = (
      try before.blocking.run([tensor])[0].tensor, try after.blocking.run([tensor])[0].tensor
    )
    for (a, b) in zip(try expected.realNumbers(), try found.realNumbers()) { #expect(abs(a - b) < 0.02) }
    // Ranges of activations come from samples.
    #expect { try ModelQuantizer(input, .init(.int8)).write(to: folder.path + "/int8.tflite") } throws: {
      ($0 as? ApusError)?.kind == .argument
    }
  }

  @Test func optionsThatAreNotForAModelAreSaid() throws {
    let folder = Checkout.modelFolder("bert-classifier")
    let file = Checkout.root.appendingPathComponent("Weights/rice-leaf/rice_v1_fp16.tflite").path
    var floats = ModelQuantizer.Options(.int8)
    floats.takesFloats = true
    var kept = ModelQuantizer.Options(.f16)
    kept.kept = ["*"]
    let cases: [(String, ModelQuantizer.Options)] = [
      (folder, floats), (folder, kept), (file, kept), (folder, .init(.f16, calibration: "samples.txt")),
    ]
    for (model, options) in cases {
      #expect { try ModelQuantizer(model, options) } throws: { ($0 as? ApusError)?.kind == .argument }
    }
    #expect { try ModelQuantizer("nowhere.tflite", .init(.f16)) } throws: {
      ($0 as? ApusError)?.kind == .file
    }
  }
}
