import Foundation
import FuzzBodies
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Real files of many origins, against what the TFLite runtime says of them in `golden.json`.
@Suite(.enabled(if: SharedData.isPresent, "the shared data is absent"))
struct TFLiteSharedDataTests {
  static let files: [String] = {
    guard let root = SharedData.root else { return [] }
    let all = FileManager.default.enumerator(atPath: root + "/tflite")?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".tflite") || $0.hasSuffix(".bin") }.sorted()
  }()

  /// Files that contradict themselves; the runtime refuses all but the two whose operator is custom and whose
  /// input is a constant.
  static let refusals = [
    "litert_quant/lstm_calibrated2.bin":
      "tensor 23 'output_gate_ln_weights-1': shape [-1] has the negative dimension",
    "litert_quant/lstm_quantized2.bin":
      "tensor 23 'output_gate_ln_weights-1': shape [-1] has the negative dimension",
    "litert_quant/transpose.bin": "(Model.version): schema version 2, expected 3",
    "litert_unit/add_shared_tensors.bin": "operator 0 (ADD): it writes tensor 1 'input', which is an input",
    "litert_unit/sparse_tensor.bin": "tensor 0 'sparse_tensor': an input of the subgraph is a constant",
    "litert_unit/test_custom_node_with_init_data.bin": "tensor 1 'b': an input of the subgraph is a constant",
    "litert_unit/test_model.bin": "operator 0 (CONV_2D): Conv2DOptions.stride_h: stride_h is 0",
    "litert_unit/test_model_versioned_ops.bin": "operator 0 (CONV_2D): Conv2DOptions.stride_h: stride_h is 0",
  ]

  /// The table was made from the 8-bit operator codes, and this file has a custom operator in the new field only.
  static let misread = "litert_unit/with_metadata.bin"

  private func bytes(_ file: String) throws -> [UInt8] {
    try FileBytes.read(SharedData.path("tflite/" + file))
  }

  @Test(arguments: files) func parsesOrSaysWhyNot(file: String) throws {
    let refusal = Fuzzing.tflite(try bytes(file))
    if let expected = Self.refusals[file] {
      #expect(refusal?.description.contains(expected) == true)
    } else {
      #expect(refusal == nil)
    }
  }

  @Test func agreesWithTheRuntime() throws {
    guard case .object(let golden) = try JSONValue.parse(try bytes("golden.json")[...]) else {
      throw ApusError(.file, "golden.json is no object")
    }
    var compared = 0
    for entry in golden where Self.refusals[entry.key.text] == nil {
      let model = try TFLiteModel(try bytes(entry.key.text))
      guard case .object(let operators)? = entry.value["ops"], entry.key != ExactText(Self.misread) else {
        continue
      }
      var counts: [String: Int] = [:]
      for step in model.subgraphs.flatMap(\.operators) {
        let custom = step.code.customName == nil ? "" : "CUSTOM:"
        counts["\(custom)\(step.code.name)v\(step.code.version)", default: 0] += 1
      }
      #expect(
        counts.map { "\($0) \($1)" }.sorted() == operators.map { "\($0.key) \($0.value.int ?? -1)" }.sorted())
      check(model, model.subgraphs[0].inputs, entry.value["inputs"], file: entry.key.text)
      check(model, model.subgraphs[0].outputs, entry.value["outputs"], file: entry.key.text)
      compared += 1
    }
    #expect(compared > 150)
  }

  /// Compares types and shapes: `[["UINT8", [1, 224, 224, 3], [scale, zero point]], …]`.
  private func check(_ model: TFLiteModel, _ tensors: [Int], _ golden: JSONValue?, file: String) {
    guard case .array(let expected)? = golden else { return }
    let found = tensors.map { model.subgraphs[0].tensors[$0] }
    #expect(found.count == expected.count, "\(file)")
    for (tensor, value) in zip(found, expected) {
      guard case .array(let parts) = value, parts.count == 3, case .array(let shape) = parts[1] else {
        continue
      }
      #expect(tensor.type.name == parts[0].string, "\(file)")
      #expect(tensor.shape.dimensions == shape.map(\.int), "\(file)")
      guard case .array(let pair) = parts[2], tensor.type.zeroPointRange != nil else { continue }
      #expect(pair.last?.int == tensor.tensorType?.quantization.map { Int($0.zeroPoint) }, "\(file)")
    }
  }

  @Test func labelsOfTheImageNetModel() throws {
    let bytes = try bytes("imagenet/mobilenet_v2_1.0_224_quant.tflite")
    let metadata = try #require(try TFLiteMetadata(of: try TFLiteModel(bytes)))
    let labels = try #require(try metadata.labels(ofOutput: 0, of: TFLiteModel(bytes))?.labels)
    #expect(labels.count == 1001 && labels[0] == "background" && labels[1] == "tench, Tinca tinca")
    #expect(metadata.subgraphs[0].inputs[0].normalization != nil)
  }
}
