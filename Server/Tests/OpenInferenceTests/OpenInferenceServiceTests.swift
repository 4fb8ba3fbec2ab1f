import Apus
import ApusServing
import FoundationEssentials
import InferenceProtocol
import OpenInference
import Testing

@Suite struct OpenInferenceServiceTests {
  let service: OpenInferenceService

  init() throws { service = try SampleServer.service() }

  private static func texts(_ name: String, _ texts: [String]) throws -> InferenceTensor {
    try InferenceTensor(name, texts, .vector(texts.count))
  }

  private static func files(_ files: [[UInt8]]) throws -> InferenceTensor {
    let bytes = files.flatMap { file in
      (0..<4).map { UInt8(truncatingIfNeeded: file.count >> ($0 * 8)) } + file
    }
    return try InferenceTensor("image", .bytes, .vector(files.count), bytes: bytes[...])
  }

  private static func floats(_ tensor: InferenceTensor) -> [Float] {
    let bytes = Array(tensor.bytes)
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << ($1 * 8) })
    }
  }

  private static func strings(_ tensor: InferenceTensor) -> [String] {
    tensor.elements.map { String(decoding: $0, as: UTF8.self) }
  }

  private func error(
    _ request: InferenceRequest, on name: String, version: String? = nil
  ) async -> ServingError? {
    do throws(ServingError) {
      _ = try await service.infer(request, on: name, version: version)
      return nil
    } catch {
      return error
    }
  }

  @Test func textsHaveTheScoresOfTheLibrary() async throws {
    let texts = ["A joy from start to finish.", "Dull, and far too long."]
    let request = try InferenceRequest(id: "7", inputs: [Self.texts("text", texts)])
    let response = try await service.infer(request, on: "folder/sentiment", version: "1")
    #expect(response.id == "7")
    #expect(response.model == "folder/sentiment")
    #expect(response.outputs.map(\.name) == ["scores", "labels"])
    let classifier = try await TextClassifier.load(SampleServer.path("Weights/sentiment"))
    let expected = try await classifier.classify(texts)
    #expect(response.outputs[0].shape.extents == [2, expected[0].predictions.count])
    #expect(Self.strings(response.outputs[1]) == expected.flatMap { $0.predictions.map(\.label) })
    for (score, wanted) in zip(
      Self.floats(response.outputs[0]), expected.flatMap { $0.predictions.map(\.score) })
    {
      #expect(abs(score - wanted) < 1e-5)
    }
  }

  @Test func classesComeAsTextsWhereTheyAreAskedFor() async throws {
    let output = try RequestedOutput("scores", parameters: ["classification": .integer(1)])
    let request = try InferenceRequest(inputs: [Self.texts("text", ["A joy."])], outputs: [output])
    let response = try await service.infer(request, on: "sentiment", version: nil)
    #expect(response.outputs.count == 1 && response.outputs[0].shape.extents == [1, 1])
    let parts = Self.strings(response.outputs[0])[0].split(separator: ":")
    #expect(parts.count == 3 && Float(parts[0]) ?? 0 > 0.5 && Int(parts[1]) != nil)
  }

  @Test func picturesAreScoredAgainstLabels() async throws {
    let labels = ["a red house", "four orange mushrooms", "a yellow sun"]
    let pictures = try Self.files([
      SampleServer.picture("four-orange-mushrooms"),
      SampleServer.picture("a-yellow-sun-in-the-top-right-corner"),
    ])
    let request = try InferenceRequest(
      parameters: ["top_k": .integer(1)], inputs: [pictures, Self.texts("labels", labels)])
    let response = try await service.infer(request, on: "scenes", version: nil)
    #expect(response.outputs.map(\.shape.extents) == [[2, 1], [2, 1]])
    #expect(Self.strings(response.outputs[1]) == [labels[1], labels[2]])
  }

  @Test func pixelsMeanWhatTheirFileDoes() async throws {
    let file = try SampleServer.picture("four-orange-mushrooms")
    let image = try ImageDecoder.decode(file).image
    let pixels = try InferenceTensor(
      "image", .uint8, InferenceShape([2, image.height, image.width, 3]),
      bytes: (image.pixels + image.pixels)[...])
    let single = try InferenceTensor(
      "image", .uint8, InferenceShape([image.height, image.width, 3]), bytes: image.pixels[...])
    var embeddings: [[Float]] = []
    for input in [try Self.files([file]), pixels, single] {
      let response = try await service.infer(
        try InferenceRequest(inputs: [input]), on: "scenes", version: nil)
      #expect(response.outputs.map(\.name) == ["embedding"])
      let width = response.outputs[0].shape.extents[1]
      let values = Self.floats(response.outputs[0])
      for start in stride(from: 0, to: values.count, by: width) {
        embeddings.append(Array(values[start..<(start + width)]))
      }
    }
    #expect(embeddings.count == 4 && Set(embeddings).count == 1)
  }

  @Test func base64IsSaidByTheContentType() async throws {
    let file = try SampleServer.picture("four-orange-mushrooms")
    let text = Data(file).base64EncodedString()
    let input = try InferenceTensor(
      "image", .bytes, .vector(1), bytes: Self.files([Array(text.utf8)]).bytes,
      parameters: ["content_type": .text("base64")])
    let encoded = try await service.infer(InferenceRequest(inputs: [input]), on: "scenes", version: nil)
    let plain = try await service.infer(
      InferenceRequest(inputs: [Self.files([file])]), on: "scenes", version: nil)
    #expect(encoded.outputs == plain.outputs)
  }

  @Test func networksRunOnTheirOwnTensors() async throws {
    let session = try await InferenceSession.load(
      SampleServer.path("Weights/rice-leaf/rice_v1_float32.tflite"))
    let input = session.networks[0].inputs[0]
    let numbers = (0..<input.shape.elementCount).map { Float($0 % 251) / 251 }
    let expected = try await session.run([input.name: Tensor(numbers, shape: input.shape)])
    let tensor = try InferenceTensor(input.name, numbers, InferenceShape(input.shape.dimensions))
    for parameters: InferenceParameters in [[:], ["network": .text(session.networks[0].name)]] {
      let response = try await service.infer(
        InferenceRequest(parameters: parameters, inputs: [tensor]), on: "leaf", version: nil)
      #expect(response.outputs.map(\.name) == expected.names)
      #expect(Self.floats(response.outputs[0]) == (try expected[0].tensor.realNumbers()))
    }
  }

  /// By transformers' names, and by those of version 0.1 where a request asks for one.
  @Test func outputsOfFoldersHaveTheLibrarysNames() async throws {
    let scenes = try await service.metadata(of: "scenes", version: nil)
    let text = try #require(scenes.signatures.first { $0.network == "text" })
    #expect(text.outputs.map(\.name) == ["text_embeds"])
    let length = try #require(text.inputs.first?.shape.last)
    let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    let bytes = (0..<length).flatMap { _ in one }
    let ids = try InferenceTensor("input_ids", .int64, InferenceShape([1, length]), bytes: bytes[...])
    func names(_ wanted: [String]) async throws -> [String] {
      let outputs = try wanted.map { try RequestedOutput($0) }
      return try await service.infer(
        InferenceRequest(inputs: [ids], outputs: outputs), on: "scenes", version: nil
      ).outputs.map(\.name)
    }
    #expect(try await names([]) == ["text_embeds"])
    #expect(try await names(["text_model.head"]) == ["text_model.head"])
    #expect(try await names(["text_model.head", "text_embeds"]) == ["text_model.head", "text_embeds"])
    await #expect(throws: ServingError.self) { try await names(["logits"]) }
  }

  @Test func descriptionsNameWhatIsTaken() async throws {
    let leaf = try await service.metadata(of: "leaf", version: nil)
    #expect(leaf.inputs == [.init("image", .bytes, [-1])])
    #expect(leaf.signatures.last?.network != nil)
    let scenes = try await service.metadata(of: "scenes", version: "1")
    #expect(scenes.inputs.map(\.name) == ["image", "labels"])
    #expect(
      scenes.signatures.map(\.name).prefix(3) == [
        "zero-shot-image-classification", "text-embedding", "image-embedding",
      ])
    #expect(scenes.signatures.compactMap(\.network) == ["image", "text"])
    #expect(try await service.configuration(of: "scenes", version: nil).input[0].dataType == "TYPE_STRING")
  }

  @Test func theFirstThatFailsIsNamed() async throws {
    let pictures = try Self.files([SampleServer.picture("four-orange-mushrooms"), [1, 2, 3]])
    let error = await error(try InferenceRequest(inputs: [pictures]), on: "scenes")
    #expect(error?.kind == .invalid)
    #expect(error?.message.hasPrefix("Item 1 of 2: ") == true)
  }

  @Test func whatCannotBeIsRefused() async throws {
    let text = try Self.texts("text", ["a"])
    let image = try Self.files([SampleServer.picture("four-orange-mushrooms")])
    let plain = try InferenceRequest(inputs: [text])
    #expect(await error(plain, on: "nobody")?.kind == .notFound)
    #expect(await error(plain, on: "sentiment", version: "2")?.kind == .notFound)
    for (request, name) in [
      (plain, "leaf"),
      (try InferenceRequest(inputs: [text, image]), "scenes"),
      (try InferenceRequest(inputs: [text], outputs: [RequestedOutput("logit")]), "sentiment"),
      (try InferenceRequest(parameters: ["network": .text("x")], inputs: [text]), "sentiment"),
      (try InferenceRequest(parameters: ["network": .integer(1)], inputs: [text]), "sentiment"),
      (try InferenceRequest(parameters: ["top_k": .integer(0)], inputs: [text]), "sentiment"),
      (try InferenceRequest(parameters: ["top_k": .text("1")], inputs: [text]), "sentiment"),
      (try InferenceRequest(inputs: [InferenceTensor("text", [1], .vector(1))]), "sentiment"),
      (
        try InferenceRequest(inputs: [InferenceTensor("text", ["a", "b", "c", "d"], InferenceShape([2, 2]))]),
        "sentiment"
      ),
      (
        try InferenceRequest(inputs: [InferenceTensor("text", .bytes, .vector(1), bytes: [1, 0, 0, 0, 0xFF])]
        ), "sentiment"
      ),
      (
        try InferenceRequest(inputs: [
          InferenceTensor("image", .uint8, InferenceShape([1 << 30, 0, 5, 3]), bytes: [])
        ]), "scenes"
      ),
      (
        try InferenceRequest(inputs: [InferenceTensor("image", .uint8, .vector(3), bytes: [1, 2, 3])]),
        "scenes"
      ),
      (
        try InferenceRequest(
          inputs: [image],
          outputs: [RequestedOutput("embedding", parameters: ["classification": .integer(2)])]), "scenes"
      ),
    ] {
      #expect(await error(request, on: name)?.kind == .invalid, "\(name) \(request.inputs.map(\.name))")
    }
  }

  @Test func modelsComeAndGo() async throws {
    #expect(service.isReady)
    try await service.load("leaf", changesModel: false)
    #expect(service.repositoryIndex(readyOnly: true).count == 3)
    await #expect(throws: ServingError.self) { try await service.load("leaf", changesModel: true) }
    try await service.unload("leaf")
    #expect(try service.isReady("leaf", version: nil) == false)
    #expect(service.repositoryIndex(readyOnly: true).map(\.name) == ["folder/sentiment", "scenes"])
    #expect(service.repositoryIndex(readyOnly: false)[0].reason == "unloaded")
    let request = try InferenceRequest(inputs: [Self.files([SampleServer.picture("four-orange-mushrooms")])])
    #expect(await error(request, on: "leaf")?.kind == .unavailable)
    try await service.load("leaf", changesModel: false)
    #expect(await error(request, on: "leaf") == nil)
    let statistics = try service.statistics(of: "leaf", version: nil).models
    #expect(statistics.map(\.inferenceCount) == [1])
    #expect(statistics[0].stages.success.nanoseconds > 0)
    #expect(try service.statistics(of: nil, version: nil).models.count == 3)
  }
}
