import Apus
import ApusServing
import InferenceProtocol
import OpenInference
import Testing

/// What a refusal accuses is what is wrong.
@Suite struct RefusalTests {
  let service: OpenInferenceService

  init() throws { service = try SampleServer.service() }

  private func message(
    _ inputs: [String], _ outputs: [String], on name: String
  ) async throws -> String {
    var tensors: [InferenceTensor] = [], wanted: [RequestedOutput] = []
    for input in inputs { tensors.append(try InferenceTensor(input, ["x"], .vector(1))) }
    for output in outputs { wanted.append(try RequestedOutput(output)) }
    let request = try InferenceRequest(inputs: tensors, outputs: wanted)
    do throws(ServingError) {
      _ = try await service.infer(request, on: name, version: nil)
      return ""
    } catch {
      #expect(error.kind == .invalid)
      return error.message
    }
  }

  @Test(arguments: [
    (["text"], ["nope"], "has no output 'nope' for (text), only 'embedding'."),
    (
      ["image"], ["scores", "nope"], "has no output 'nope' for (image), only 'embedding', 'scores', 'labels'."
    ),
    (
      ["image", "labels"], ["embedding"],
      "has no output 'embedding' for (image, labels), only 'scores', 'labels'."
    ),
    (
      ["image"], ["embedding", "scores"],
      "gives for (image) in one request 'embedding', or 'scores', 'labels'."
    ),
  ])
  func unknownOutputsAreNamed(inputs: [String], outputs: [String], message: String) async throws {
    let found = try await self.message(inputs, outputs, on: "scenes")
    #expect(found == "Model 'scenes' " + message)
  }

  @Test(arguments: ["leaf", "scenes"]) func aRequestWithoutInputsIsToldSo(name: String) async throws {
    let found = try await message([], [], on: name)
    #expect(found.hasPrefix("The request has no inputs; model '\(name)' takes (image"))
  }

  /// Each way of asking stands there once, whatever tasks and signatures share it.
  @Test func waysAreListedOnce() async throws {
    for name in ["leaf", "scenes", "sentiment"] {
      let found = try await message(["nothing"], [], on: name)
      let start = try #require(found.firstRange(of: "but "))
      let ways = found[start.upperBound...].dropLast().split(separator: " or ")
      #expect(!ways.isEmpty && Set(ways).count == ways.count, "\(found)")
    }
  }
}
