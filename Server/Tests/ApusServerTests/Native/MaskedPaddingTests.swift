import Apus
import ApusServing
import Foundation
import Testing

@testable import ApusServer

/// A SigLIP with its padding masked, as a setting of the server and as a field of requests: the numbers of `apus zero-shot
/// --mask-padding` and `apus embed --mask-padding`, which are those of the library.
@Suite struct MaskedPaddingTests {
  private static let labels = ["a photo of a cat", "a dog on the grass", "leaf blast on rice"]
  private static let path = TestServer.fixtures + "/siglip"

  private func server(_ name: String = "siglip", masks: Bool = false) throws -> TestServer {
    var options = ServedModelOptions(TestServer.fixtures + "/" + name, name: name)
    options.zeroShotLabels = Self.labels
    options.masksPadding = masks
    (options.scoring, options.logitScale) = (.softmax, 10)
    return try TestServer([options])
  }

  private func expected(masks: Bool) throws -> [LabelScore] {
    var options = ZeroShotClassifier.Options(labels: Self.labels, scoring: .softmax, logitScale: 10)
    options.masksPadding = masks
    return try ZeroShotClassifier(Self.path, options: options).blocking
      .classify(.encoded(try Sample.picture())).predictions
  }

  private func scores(_ answer: TestServer.Answer) throws -> [String: Double] {
    #expect(answer.status == 200, "\(answer.text)")
    let results = try #require(try answer.json["results"]?.list)
    return Dictionary(
      uniqueKeysWithValues: results.map { ($0["label"]?.string ?? "", $0["score"]?.double ?? -1) })
  }

  private func isSame(_ found: [String: Double], _ expected: [LabelScore]) -> Bool {
    found.count == expected.count && expected.allSatisfy { found[$0.label].map { Float($0) } == $0.score }
  }

  @Test(arguments: [false, true]) func pictures(_ masks: Bool) async throws {
    let (own, other) = (try expected(masks: masks), try expected(masks: !masks))
    #expect(own.map(\.score) != other.map(\.score))
    let server = try server(masks: masks)
    let picture = try Sample.picture()
    let plain = try await server.ask(.post, "/api/zero-shot", picture, type: "image/png")
    #expect(isSame(try scores(plain), own))
    let query = try await server.ask(
      .post, "/api/zero-shot?mask_padding=\(!masks)", picture, type: "image/png")
    #expect(isSame(try scores(query), other))
    let body = #"{"image": "\#(Data(picture).base64EncodedString())", "mask_padding": \#(!masks)}"#
    #expect(isSame(try scores(try await server.post("/api/zero-shot", body)), other))
    let again = try await server.ask(.post, "/api/zero-shot", picture, type: "image/png")
    #expect(isSame(try scores(again), own))
    let wrong = try await server.ask(.post, "/api/zero-shot?mask_padding=1", picture, type: "image/png")
    #expect(wrong.status == 400 && wrong.text.contains("true or false"))
  }

  /// Also of a tower that embeds texts alone.
  @Test(arguments: ["siglip", "siglip-text"]) func vectors(_ name: String) async throws {
    let folder = TestServer.fixtures + "/" + name
    let vector = try TextEmbedder(folder).blocking.embed("a cat")
    func expected(masks: Bool) throws -> [LabelScore] {
      var options = TextEmbedder.Options()
      options.masksPadding = masks
      return try TextEmbedder(folder, options: options).blocking.embed(labels: Self.labels)
        .classify(embedding: vector, scoring: .softmax, logitScale: 10, logitBias: 0).predictions
    }
    let numbers = JSONText.vector(vector.values)
    let server = try server(name)
    for masks in [false, true, false] {
      let body = JSONText.object([("embedding", numbers), ("mask_padding", .bool(masks))]).bytes
      let answer = try await server.ask(.post, "/api/classify", body, type: "application/json")
      let found = try scores(answer), wanted = try expected(masks: masks)
      // The whole model adds the bias that it learned, which softmax takes no notice of.
      for label in wanted { #expect(abs((found[label.label] ?? -1) - Double(label.score)) < 1e-6) }
    }
    #expect(try expected(masks: true).map(\.score) != expected(masks: false).map(\.score))
  }

  @Test(arguments: [
    ("/embed", #"{"inputs": ["a cat", "a dog"], "normalize": false, "mask_padding": MASKS}"#),
    ("/v1/embeddings", #"{"model": "siglip", "input": ["a cat", "a dog"], "mask_padding": MASKS}"#),
  ])
  func texts(_ route: String, _ body: String) async throws {
    let server = try server()
    for masks in [true, false, true] {
      var options = TextEmbedder.Options(length: route == "/embed" ? .raw : .model)
      options.masksPadding = masks
      let wanted = try TextEmbedder(Self.path, options: options).blocking.embed(["a cat", "a dog"])
      let answer = try await server.post(route, body.replacing("MASKS", with: "\(masks)"))
      #expect(answer.status == 200, "\(answer.text)")
      let rows = try answer.json.list ?? answer.json["data"]?.list?.compactMap { $0["embedding"] }
      let found = try #require(rows).map { try #require($0.doubles).map { Float($0) } }
      #expect(found == wanted.map(\.values))
    }
  }

  @Test func modelsWithoutTheChoiceRefuseIt() async throws {
    for name in ["clip", "bert-sentence"] {
      let error = #expect(throws: ApusError.self) { try server(name, masks: true) }
      #expect(error?.kind == .argument && "\(error?.description ?? "")".contains("SigLIP"))
    }
    let clip = try server("clip")
    let picture = try Sample.picture()
    let answer = try await clip.ask(.post, "/api/zero-shot?mask_padding=true", picture, type: "image/png")
    #expect(answer.status == 400 && answer.text.contains("makes no difference"), "\(answer.text)")
    let same = try await clip.ask(.post, "/api/zero-shot?mask_padding=false", picture, type: "image/png")
    #expect(same.status == 200)
    let bert = try server("bert-sentence")
    let refused = try await bert.post("/embed", #"{"inputs": "a cat", "mask_padding": true}"#)
    #expect((400..<500).contains(refused.status) && refused.text.contains("padding"), "\(refused.text)")
  }
}
