import ApusServing
import Foundation
import Testing

@testable import ApusServer

/// A server that has a text tower alone scores labels for the vectors of pictures that clients computed.
@Suite struct TextTowerTests {
  private static let labels = ["a photo of a cat", "a dog on the grass", "leaf blast on rice"]

  private func server(logitScale: Float? = nil) throws -> TestServer {
    var options = ServedModelOptions(TestServer.fixtures + "/clip-text-projection", name: "tower")
    options.zeroShotLabels = Self.labels
    options.logitScale = logitScale
    return try TestServer([options])
  }

  /// Vectors of the labels, of length 1.
  private func vectors(_ server: TestServer) async throws -> [[Double]] {
    let texts = JSONText.array(Self.labels.map(JSONText.string))
    let body = JSONText.object([("inputs", texts)]).bytes
    let answer = try await server.ask(.post, "/embed", body, type: "application/json").json
    return try #require(answer.list).map { try #require($0.doubles) }
  }

  private func body(_ vector: [Double], _ others: [(key: String, value: JSONText)] = []) -> [UInt8] {
    JSONText.object([("embedding", .vector(vector.map { Float($0) }))] + others).bytes
  }

  private func dot(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0.0) { $0 + $1.0 * $1.1 }
  }

  @Test func scoresAreSoftmaxOfScaledCosines() async throws {
    let tower = try server()
    let labels = try await vectors(tower)
    // Between two labels, and of another length than theirs.
    let vector = zip(labels[0], labels[1]).map { 2 * $0.0 + $0.1 }
    let length = dot(vector, vector).squareRoot()
    let powers = labels.map { exp(10 * dot(vector, $0) / length) }
    let sum = powers.reduce(0, +)
    let sent = body(vector, [("logit_scale", 10), ("top_k", 2)])
    let answer = try await tower.ask(.post, "/api/classify", sent, type: "application/json")
    #expect(answer.status == 200, "\(answer.text)")
    let results = try #require(try answer.json["results"]?.list)
    #expect(results.count == 2)
    for (result, place) in zip(results, powers.indices.sorted { powers[$0] > powers[$1] }) {
      #expect(result["label"]?.string == Self.labels[place])
      #expect(abs((result["score"]?.double ?? 0) - powers[place] / sum) < 1e-5)
    }
  }

  /// What the server was started with counts where the request says nothing.
  @Test func theServersOwnScaleCounts() async throws {
    let tower = try server(logitScale: 10)
    let vector = try await vectors(tower)[0]
    let own = try await tower.ask(.post, "/api/classify", body(vector), type: "application/json")
    #expect(try own.json["results"]?[0]?["label"]?.string == Self.labels[0])
    let said = body(vector, [("logit_scale", 10), ("score", "softmax")])
    let same = try await tower.ask(.post, "/api/classify", said, type: "application/json")
    #expect(same.bytes == own.bytes)
    let lesser = body(vector, [("logit_scale", 1)])
    let other = try await tower.ask(.post, "/api/classify", lesser, type: "application/json")
    #expect(other.status == 200 && other.bytes != own.bytes)
  }

  @Test(arguments: [
    (#"{"embedding":[1]}"#, "logit_scale"), (#"{"embedding":[1],"logit_scale":10}"#, "expected 16"),
    (#"{"embedding":[1],"score":"sigmoid","logit_scale":10}"#, "softmax"),
    (#"{"embedding":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"labels":["a","a"],"logit_scale":10}"#, "again"),
  ])
  func whatIsMissingIsSaid(_ body: String, _ words: String) async throws {
    let answer = try await server().post("/api/classify", body)
    #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
  }

  /// Pictures themselves are for whole models.
  @Test func picturesAreRefused() async throws {
    let answer = try await server().ask(.post, "/api/zero-shot", try Sample.picture(), type: "image/png")
    #expect(answer.status == 400)
  }
}
