import ApusEvaluation
import TestSupport
import Testing

/// What a program that compares models reads.
@Suite struct ProgramComparisonTests {
  @Test func twoPrecisionsOfAModelAreCompared() throws {
    let folder = try TemporaryFolder()
    let lines = [
      "a joy from start to finish\tpositive", "dull, and far too long\tnegative", "wonderful\tpositive",
    ]
    let data = try folder.write("data.tsv", lines.joined(separator: "\n"))
    let model = Checkout.root.appendingPathComponent("Weights/sentiment").path
    var options = Comparison.Options(models: [model, model + "@int8"], data: data)
    options.looksForCulprits = false
    options.resamples = 100
    let comparison = try Comparison(options)
    var done = 0
    let report = try comparison.run { done += $0 <= $1 ? 1 : 0 }
    #expect(comparison.sampleCount == 3 && done == 3)
    #expect(report.task == .textClassification && report.models.map(\.letter) == ["A", "B"])
    let pair = try #require(report.pairs.first)
    #expect(pair.agreement.count == 3 && pair.agreement.interval.contains(pair.agreement.value))
    #expect(report.models[0].accuracy?.top1.count == 3)
    #expect(report.models[0].cost.runMilliseconds.count == 3)
    #expect(ComparisonPage(report).html().contains("<html"))
    #expect(!pair.verdict.isEmpty)
  }

  /// Texts of other lengths count too: each has a network of its own.
  @Test func layersAreComparedOnTextsOfAnyLength() throws {
    let folder = try TemporaryFolder()
    let data = try folder.write("data.txt", "wonderful\ndull, and far too long\na joy from start to finish\n")
    let model = Checkout.root.appendingPathComponent("Weights/sentiment").path
    var options = Comparison.Options(models: [model, model + "@int8"], data: data)
    options.looksForCulprits = false
    options.layerSamples = 3
    let layers = try #require(try Comparison(options).run().layers.first)
    #expect(layers.sampleCount == 3)
    // Two scores of each text.
    #expect(layers.rowsInRunOrder.last?.difference.count == 6)
  }

  @Test func oneModelIsNoComparison() {
    #expect { try Comparison(Comparison.Options(models: ["a"], data: "b")) } throws: {
      ($0 as? ApusError)?.kind == .argument
    }
  }
}
