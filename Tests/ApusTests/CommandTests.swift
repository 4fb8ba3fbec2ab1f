import Foundation
import TensorCore
import TestSupport
import Testing

/// The program as a shell sees it: what it prints where, and its exit codes.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct CommandTests {
  let folder: TemporaryFolder
  let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
  }

  /// Writes a float array as an `.npy` file.
  private func array(_ name: String, _ shape: [Int], _ values: [Float]) throws -> String {
    let list = shape.map { "\($0)," }.joined(separator: " ")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(list))}"
    header += String(repeating: " ", count: 117 - header.count) + "\n"
    let data = values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    return try folder.write(
      name, [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + data)
  }

  @Test(arguments: [
    ["--help"], ["classify", "--help"], ["run", "--help"], ["inspect", "--help"], ["doctor", "--help"],
    ["zero-shot", "--help"], ["classify-text", "--help"], ["embed", "--help"], ["tokenize", "--help"],
    ["similarity", "--help"], ["quantize", "--help"],
    ["bench", "--help"], ["bench", "kernels", "--help"], ["bench", "model", "--help"],
  ])
  func helpHasAnExample(_ arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("Example: apus "))
  }

  @Test(arguments: [
    ["classify"], ["unknown"], ["classify", "x.png", "--model", "m", "--threads", "0"],
    ["classify", "x.png", "--model", "m", "--top-k", "0"],
    ["classify", "x.png", "--model", "m", "--threshold", "1.5"],
    ["classify", "x.png", "--model", "m", "--threshold", "nan"], ["run", "m", "--repeat", "0"],
    ["zero-shot", "x.png", "--model", "m"], ["zero-shot", "x.png", "--model", "m", "--labels", " , "],
    ["zero-shot", "x.png", "--model", "m", "--labels", "a", "--score", "best"],
    ["embed", "--model", "m"], ["embed", "--model", "m", "--text", "-", "--image", "-"],
    ["similarity", "--model", "m"], ["similarity", "--model", "m", "--text", "a", "--nearest", "0"],
    ["similarity", "--model", "m", "--text", "-", "--with-text", "-"],
    ["tokenize", "--model", "m", "--count", "--pieces"], ["tokenize", "--model", "m", "--decode", "--pad"],
    ["classify-text", "a", "--model", "m", "--precision", "f8"],
    ["bench", "kernels", "--shape", "gemm:1"], ["bench", "kernels", "--filter", "no such kernel"],
    ["bench", "kernels", "--json", "--csv"], ["bench", "model", "m", "--threads", "1,,2"],
    ["bench", "model", "m", "--runs", "3", "--seconds", "1"],
    ["classify", "x.png", "--model", "m", "--language", "th"],
    ["run", "m", "--signature", "s", "--part", "text"],
    ["inspect", "m", "--signature", "s", "--part", "text"],
    ["inspect", "m.safetensors", "--part", "text"], ["inspect", "m.safetensors", "--precision", "int8"],
    ["embed", "--model", "m", "--text", "a", "--preprocess", "clip"],
    ["similarity", "--model", "m", "--text", "a", "--preprocess", "clip"],
  ])
  func wrongUsageIs2(_ arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 2)
    #expect(run.output.isEmpty || arguments.contains("--json") && run.output.hasPrefix("{\"error\": "))
    #expect(!run.messages.isEmpty)
  }

  @Test func missingFilesAre3() throws {
    #expect(try CommandRun(["classify", "nowhere.png", "--model", model]).exitCode == 3)
    #expect(try CommandRun(["classify", "nowhere.png", "--model", "nowhere.tflite"]).exitCode == 3)
    #expect(try CommandRun(["classify", folder.path + "/*.png", "--model", model]).exitCode == 3)
    #expect(try CommandRun(["inspect", folder.path]).exitCode == 3)
  }

  @Test func refusedModelsAre4() throws {
    let broken = try folder.write("broken.tflite", "no model at all")
    let run = try CommandRun(["inspect", broken])
    #expect(run.exitCode == 4)
    #expect(run.messages.contains("broken.tflite"))
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data")) func oneBadFileOfABatchIs5() throws {
    let zebra = SharedData.path("imagenet150/images/n02391049_zebra.JPEG")
    let run = try CommandRun(["classify", zebra, "nowhere.png", zebra, "--model", model, "--json"])
    #expect(run.exitCode == 5)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.filter { $0.contains("\"predictions\"") }.count == 2)
    #expect(run.messages.contains("nowhere.png"))
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data")) func jsonHasTheKeysPromised() throws {
    let zebra = SharedData.path("imagenet150/images/n02391049_zebra.JPEG")
    let run = try CommandRun(["classify", "-", "--model", model, "--json"], input: zebra + "\n")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "file", "predictions", "uncertain", "reason", "preprocess", "milliseconds", "stages", "computed",
        "apus",
      ])
    let stages = try #require(object["stages"] as? [String: Double])
    #expect(Set(stages.keys) == ["decode", "preprocess", "run", "rank"])
    let total = try #require(object["milliseconds"] as? Double)
    #expect(abs(stages.values.reduce(0, +) - total) < 0.01)
    let predictions = try #require(object["predictions"] as? [[String: Any]])
    #expect(predictions.count == 3)
    #expect(Set(try #require(predictions.first).keys) == ["label", "index", "score"])
    #expect(object["file"] as? String == zebra)
  }

  @Test func tooManyThreadsAreCutDownAndSaidSo() throws {
    let run = try CommandRun(["classify", "nowhere.png", "--model", model, "--threads", "1000"])
    #expect(run.messages.contains("1000 threads"))
  }

  @Test(arguments: ["0", "picture"])
  func runWritesOutputs(_ name: String) throws {
    let side = ColourModel.side
    let values = (0..<side * side).flatMap { _ in [1, 2, 3] as [Float] }
    let input = try array("in.npy", [1, side, side, 3], values)
    let output = folder.path + "/out"
    let run = try CommandRun(["run", model, "--input", "\(name)=\(input)", "--output-dir", output])
    #expect(run.exitCode == 0, "\(run.messages)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output + "/0.npy")))
    let means = bytes.suffix(12).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(means == [1, 2, 3])
    let list = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: output + "/outputs.json")))
    let first = try #require((list as? [[String: Any]])?.first)
    #expect(first["name"] as? String == "means")
    #expect(first["type"] as? String == "float32")
    #expect(first["shape"] as? [Int] == [1, 3])
  }

  @Test func runNamesWhatIsWrongWithInputs() throws {
    let input = try array("in.npy", [2], [1, 2])
    for (arguments, part) in [
      ([], "no file is given for input 0 'picture'"), (["--input", "0"], "no '=' in it"),
      (["--input", "9=\(input)"], "no input 9"),
      (["--input", "0=\(input)"], "shape [2], expected [1, 4, 4, 3]"),
      (["--input", "0=\(input)", "--input", "picture=\(input)"], "given twice"),
    ] {
      let run = try CommandRun(["run", model] + arguments)
      #expect(run.exitCode == 2)
      #expect(run.messages.contains(part), "\(run.messages)")
    }
  }

  @Test func aReaderThatWentAwayIsNoError() throws {
    let run = try CommandRun(["doctor"], closesOutput: true)
    #expect(run.exitCode == 0)
    #expect(run.messages.isEmpty)
  }

  @Test func inspectCountsTheWork() throws {
    let run = try CommandRun(["inspect", model, "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((object["operators"] as? [[String: Any]])?.count == 1)
    #expect(object["parameters"] as? Int == 0)
    #expect((object["arena_bytes"] as? Int ?? 0) >= 4 * 4 * 3 * 4)
  }

  /// Of free axes the extents that the rest is told for, which need not be 1.
  @Test func inspectTellsOfFreeAxes() throws {
    var builder = ONNXBuilder()
    builder.input("pixels", [nil, 3, nil, nil])
    builder.node("MaxPool", ["pixels"], ["y"], attributes: [ONNXBuilder.attribute("kernel_shape", [7, 7])])
    builder.output("y", [nil, 3, nil, nil])
    let folder = try TemporaryFolder()
    let model = try folder.write("windows.onnx", builder.build())
    let text = try CommandRun(["inspect", model])
    #expect(text.exitCode == 0)
    #expect(text.output.contains("input 0 'pixels': float32[1, 3, 224, 224], axes 0, 2 and 3 are free\n"))
    #expect(text.output.contains("output 0 'y': float32[1, 3, 218, 218]\n"))
    let run = try CommandRun(["inspect", model, "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let input = try #require((object["inputs"] as? [[String: Any]])?.first)
    #expect(input["shape"] as? [Int] == [1, 3, 224, 224] && input["free_axes"] as? [Int] == [0, 2, 3])
  }
}
