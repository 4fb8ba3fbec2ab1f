import Apus
import Foundation
import TestSupport
import Testing

/// What a regression gives is no share of 1 and says nothing of how sure it is.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct RegressionTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = folder.path + "/model"
    try FileManager.default.copyItem(atPath: Checkout.file("Weights/sentiment").path, toPath: model)
    try FileManager.default.removeItem(atPath: model + "/meta.json")
    let configuration = try String(contentsOfFile: model + "/config.json", encoding: .utf8)
    _ = try folder.write(
      "model/config.json",
      configuration.replacingOccurrences(
        of: "\"id2label\"", with: "\"problem_type\": \"regression\", \"id2label\""))
  }

  @Test func valuesAreShownAsTheyAreAndNeverUncertain() throws {
    let run = try CommandRun(["classify-text", "A joy from start to finish.", "--model", model])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(!run.output.contains("%") && !run.output.contains("uncertain"), "\(run.output)")
    let lines = run.output.split(separator: "\n").filter { $0.hasSuffix("tive") }
    let values = lines.compactMap { Double($0.split(separator: " ")[0]) }
    #expect(values.count == 2 && values.contains { $0 < 0 || $0 > 1 }, "\(run.output)")
  }

  @Test func aThresholdThatIsAskedForCounts() async throws {
    let text = "It never finds its feet."
    let classifier = try TextClassifier(model)
    let result = try await classifier.classify(text)
    #expect(!result.isUncertain && result.predictions.allSatisfy { !$0.isUncertain })
    let strict = try TextClassifier(model, options: .init(threshold: 1))
    let judged = try await strict.classify(text)
    #expect(judged.predictions.map(\.isUncertain) == judged.predictions.map { $0.score < 1 })
  }
}
