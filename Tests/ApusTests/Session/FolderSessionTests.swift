import Apus
import TestSupport
import Testing

/// Model folders on the tensors that transformers gives them.
@Suite struct FolderSessionTests {
  /// Rows of unequal length, with padding that the mask leaves out.
  private func padded(_ rows: [[Int32]]) throws -> [String: Tensor] {
    let width = rows.map(\.count).max() ?? 0
    let ids = rows.flatMap { $0.map(Int64.init) + [Int64](repeating: 0, count: width - $0.count) }
    let mask = rows.flatMap { row in (0..<width).map { Int64($0 < row.count ? 1 : 0) } }
    return [
      "input_ids": try Tensor(ids, shape: [rows.count, width]),
      "attention_mask": try Tensor(mask, shape: [rows.count, width]),
    ]
  }

  @Test(arguments: ["bert-classifier", "distilbert-classifier", "roberta-classifier"])
  func textsGivePyTorchsLogits(_ name: String) throws {
    let fixture = try FolderFixture(name)
    let session = try InferenceSession(fixture.path)
    let types = name == "bert-classifier" ? ["token_type_ids"] : []
    #expect(session.inputs.map(\.name) == ["input_ids", "attention_mask"] + types)
    #expect(session.inputs.map(\.isOptional) == [false, true] + types.map { _ in true })
    #expect(session.inputs[0].dataType == .int64 && session.inputs[0].otherDataTypes == [.int32])
    let outputs = try session.blocking.run(padded(fixture.expected.ids))
    #expect(outputs.count == 1 && outputs[0].tensor.shape[0] == fixture.expected.ids.count)
    expectClose(try outputs[0].tensor.elements(), try #require(fixture.expected.logits))
    #expect(outputs.names == session.outputs.map(\.name))
    #expect(session.outputs[0].extents[1] == .fixed(outputs[0].tensor.shape[1]))
  }

  /// A pair gives what the classifier gives, by its tokens' types.
  @Test func tokensHaveTypes() throws {
    let path = Checkout.modelFolder("bert-reranker")
    let (session, classifier) = (try InferenceSession(path), try TextClassifier(path))
    let tokenizer = try Tokenizer(path)
    let pairs = [("a photo of a cat", "a dog"), ("x", "how many people live in the city?")]
    let encodings = tokenizer.encode(pairs: pairs, padding: try tokenizer.padding())
    var inputs = [
      "input_ids": try encodings.tensor(\.ids), "attention_mask": try encodings.tensor(\.attentionMask),
    ]
    let untyped = try session.blocking.run(inputs)[0].tensor.elements(of: Float.self)
    inputs["token_type_ids"] = try encodings.tensor(\.tokenTypes)
    let found = try session.blocking.run(inputs)[0].tensor.elements(of: Float.self)
    let expected = try classifier.blocking.classify(pairs.map { TextPair($0.0, $0.1) }).flatMap(\.outputs)
    #expect(found == expected && untyped != expected)
    inputs["token_type_ids"] = try Tensor([Int32(0), 1], shape: [1, 2])
    let wrong = try #require(throws: ApusError.self) { try session.blocking.run(inputs) }
    #expect(wrong.kind == .argument && "\(wrong)".contains("token_type_ids"), "\(wrong)")
    let width = try #require(inputs["input_ids"]).shape.elementCount
    inputs["token_type_ids"] = try Tensor([Int32](repeating: 2, count: width), shape: [2, width / 2])
    let beyond = try #require(throws: ApusError.self) { try session.blocking.run(inputs) }
    #expect(beyond.kind == .argument && "\(beyond)".contains("type 2"), "\(beyond)")
  }

  @Test func towersHaveNames() throws {
    let fixture = try FolderFixture("clip")
    let session = try InferenceSession(fixture.path)
    #expect(session.networks.map(\.name) == ["image", "text"])
    #expect(session.inputs.isEmpty)
    // As the model gives them, before they get length 1.
    let embeddings = try session.blocking.run(padded(fixture.expected.ids), network: "text")[0].tensor
    expectClose(try embeddings.elements(), try #require(fixture.expected.text_embeddings))
    #expect(throws: ApusError.self) { try session.blocking.run([:]) }
    let image = try InferenceSession(fixture.path, options: .init(network: "image"))
    let input = try #require(image.inputs.first)
    #expect(input.name == "pixel_values" && input.extents[0].isFree && input.shape[1] == 3)
  }

  /// Channels last gives what channels first gives, and a batch what each picture gives.
  @Test func picturesComeInBatches() throws {
    let session = try InferenceSession(Checkout.modelFolder("mobilenetv2"))
    let shape = session.inputs[0].shape
    let (channels, pixels) = (shape[1], shape[2] * shape[3])
    let values = (0..<2 * shape.elementCount).map { (place: Int) -> Float in
      Float(place * 7919 % 255) / 127.5 - 1
    }
    var last = values
    for picture in 0..<2 {
      for channel in 0..<channels {
        for pixel in 0..<pixels {
          last[(picture * pixels + pixel) * channels + channel] =
            values[(picture * channels + channel) * pixels + pixel]
        }
      }
    }
    let batch = [2] + shape.dimensions[1...]
    #expect(try session.blocking.prepare(shapes: ["pixel_values": batch])[0].shape[0] == 2)
    let both = try session.blocking.run([Tensor(values, shape: batch)])[0].tensor.elements(of: Float.self)
    let turned = try Tensor(last, shape: [2, shape[2], shape[3], channels])
    #expect(try session.blocking.run([turned])[0].tensor.elements(of: Float.self) == both)
    for picture in 0..<2 {
      let one = Array(values[(picture * shape.elementCount)..<((picture + 1) * shape.elementCount)])
      let alone = try session.blocking.run([Tensor(one, shape: shape)])[0].tensor.elements(of: Float.self)
      expectClose(Array(both[(picture * alone.count)..<((picture + 1) * alone.count)]), alone)
    }
    #expect(throws: ApusError.self) { try session.blocking.prepare(shapes: ["pixel_values": [2, 3, 5, 5]]) }
    let none = try session.blocking.run([Tensor([] as [Float], shape: [0] + shape.dimensions[1...])])
    #expect(none[0].tensor.shape.dimensions == [0, both.count / 2])
  }

  @Test func shapesOfTextsAreMadeReady() throws {
    let session = try InferenceSession(Checkout.modelFolder("bert-classifier"))
    let prepared = try session.blocking.prepare(shapes: ["input_ids": [5, 6], "attention_mask": [5, 6]])
    #expect(prepared[0].shape[0] == 5)
    #expect(throws: ApusError.self) { try session.blocking.prepare(shapes: ["input_ids": [5, 1 << 20]]) }
    #expect(throws: ApusError.self) { try session.blocking.prepare(shapes: ["input_ids": [0, 4]]) }
  }
}
