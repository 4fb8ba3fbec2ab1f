import Evaluation
import Foundation
import Graph
import Kernels
import Networks
import Statistics
import TensorCore
import TestSupport

/// A report such as `apus compare` makes, of answers drawn at random: the other model answers as the baseline
/// does, but for some samples.
struct SampleReport {
  var classes = [
    "aeroplane", "car", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "lorry",
  ]
  var sampleCount = 400
  /// The share of samples on which the models may differ.
  var disturbance = 0.08
  var modelNames = ["mobilenet_v2_float.tflite", "mobilenet_v2_int8.tflite"]
  var task = ModelTask.imageClassification
  var isLabelled = true
  var culprits: [Culprit] = []
  /// The loss that is held against the intervals.
  var margin: Double?
  /// The contents of samples; their paths or texts.
  var content: (Int) -> SampleReport.Content = { .picture("samples/\($0).jpg") }

  typealias Content = Evaluation.SampleReport.Content

  private struct Answer {
    var label: Int
    var confidence: Double
  }

  func report() -> ComparisonReport {
    var random = SeededRandom(seed: 5)
    let truth = (0..<sampleCount).map { _ in Int.random(in: 0..<classes.count, using: &random) }
    let baseline = truth.map { answer(to: $0, &random) }
    let answers = modelNames.indices.map { model in
      model == 0 ? baseline : zip(truth, baseline).map { disturbed($1, truth: $0, &random) }
    }
    let models = modelNames.indices.map { model($0, answers[$0], truth, &random) }
    let pairs = modelNames.indices.dropFirst().map { pair($0, models, answers, truth) }
    let items = truth.enumerated().map {
      Evaluation.SampleReport(content: content($0.offset), label: isLabelled ? $0.element : nil)
    }
    return ComparisonReport(
      task: task,
      data: DataReport(
        path: "samples", form: "folder per class", samples: items, classes: classes, isLabelled: isLabelled,
        matching: isLabelled ? "by name" : nil, available: sampleCount + 3,
        skipped: [
          SkippedSample(name: "samples/broken.jpg", reason: "the JPEG data ends before the picture does")
        ]),
      models: models, pairs: pairs, culprits: culprits, layers: [layers(&random)],
      provenance: Self.provenance,
      furtherPairs: furtherPairs(models, answers, truth))
  }

  private func answer(to truth: Int, _ random: inout SeededRandom) -> Answer {
    let confidence = 1 - pow(Double.random(in: 0...1, using: &random), 2) * 0.75
    let isRight = Double.random(in: 0...1, using: &random) < confidence * 0.95
    return Answer(label: isRight ? truth : wrong(truth, &random), confidence: confidence)
  }

  private func disturbed(_ answer: Answer, truth: Int, _ random: inout SeededRandom) -> Answer {
    let confidence = min(max(answer.confidence + Double.random(in: -0.08...0.04, using: &random), 0.1), 1)
    guard Double.random(in: 0...1, using: &random) < disturbance else {
      return Answer(label: answer.label, confidence: confidence)
    }
    let isRight = Double.random(in: 0...1, using: &random) < 0.6
    return Answer(label: isRight ? truth : wrong(truth, &random), confidence: confidence * 0.7)
  }

  /// Neighbours are mistaken for each other more often than others.
  private func wrong(_ truth: Int, _ random: inout SeededRandom) -> Int {
    let distance = Double.random(in: 0...1, using: &random) < 0.5 ? 2 : Int.random(in: 1..<10, using: &random)
    return (truth + distance) % classes.count
  }

  // MARK: Parts

  private func model(
    _ position: Int, _ answers: [Answer], _ truth: [Int], _ random: inout SeededRandom
  ) -> ModelReport {
    let isRight = zip(answers, truth).map { $0.label == $1 }
    let scores = answers.map(\.confidence)
    let speed = position == 0 ? 11.2 : 5.3
    let runs = (0..<sampleCount).map { _ in
      speed
        * (1 + pow(Double.random(in: 0...1, using: &random), 6) * 0.5
          + Double.random(in: 0...0.05, using: &random))
    }.sorted()
    let bytes = position == 0 ? 13_978_596 : 3_897_472
    return ModelReport(
      name: modelNames[position], letter: "\(UnicodeScalar(UInt8(65 + position)))",
      path: "models/\(modelNames[position])",
      kind: position == 0 ? "TFLite, float32" : "TFLite, int8",
      computation: Computation(
        [
          Computation.Part(
            name: "main", products: [Products(position == 0 ? .float32 : .int8, by: ["conv2D"])])
        ],
        on: KernelSet.best.choice), classCount: classes.count,
      preprocessing: "bilinear to 224×224, divided by 127.5 less 1",
      cost: CostReport(
        byteCount: bytes, memoryByteCount: bytes + 4_900_000, workspaceByteCount: 4_816_896,
        loadMilliseconds: speed * 1.7, runMilliseconds: runs, median: runs[runs.count / 2],
        p95: runs[runs.count * 95 / 100], preparationMedian: 1.23, throughput: 1000 / (speed + 1.23)),
      accuracy: isLabelled ? accuracy(answers, truth, isRight) : nil,
      sweep: isLabelled
        ? ThresholdPoint.sweep((0..<50).map { Double($0) / 50 }, scores: scores, isRight: isRight) : [],
      confidences: scores.map(Float.init), answers: answers.map(\.label))
  }

  private func accuracy(_ answers: [Answer], _ truth: [Int], _ isRight: [Bool]) -> AccuracyReport {
    var cells: [[Int]: Int] = [:]
    for (answer, truth) in zip(answers, truth) { cells[[truth, answer.label], default: 0] += 1 }
    let reports = classes.indices.map { ClassReport(label: $0, metrics: metrics($0, answers, truth)) }
    return AccuracyReport(
      top1: Proportion(isRight.count { $0 }, of: sampleCount),
      top5: Proportion(sampleCount * 97 / 100, of: sampleCount),
      macroF1: reports.map(\.metrics.f1).reduce(0, +) / Double(classes.count), classes: reports,
      confusion: cells.map { Confusion(truth: $0.key[0], answer: $0.key[1], count: $0.value) }
        .sorted { ($0.truth, $0.answer) < ($1.truth, $1.answer) },
      calibration: Calibration(confidences: answers.map(\.confidence), isRight: isRight, binCount: 10))
  }

  private func metrics(_ label: Int, _ answers: [Answer], _ truth: [Int]) -> ClassMetrics {
    ClassMetrics(
      support: truth.count { $0 == label }, predicted: answers.count { $0.label == label },
      hits: zip(answers, truth).count { $0.label == label && $1 == label })
  }

  private func furtherPairs(
    _ models: [ModelReport], _ answers: [[Answer]], _ truth: [Int]
  ) -> [ModelPair] {
    models.indices.dropFirst().flatMap { first in
      models.indices.dropFirst(first + 1).map { second in
        let flips = flips(first, second, answers, truth)
        return ModelPair(
          first: first, second: second, agreement: Proportion(sampleCount - flips.count, of: sampleCount),
          accuracy: isLabelled ? PairedAccuracy(outcomes(first, second, answers, truth)) : nil, flips: flips,
          speed: SpeedRatio(
            baseline: models[first].cost.runMilliseconds, other: models[second].cost.runMilliseconds),
          verdict: "")
      }
    }
  }

  private func outcomes(
    _ first: Int, _ second: Int, _ answers: [[Answer]], _ truth: [Int]
  ) -> PairedOutcomes {
    PairedOutcomes(
      zip(answers[first], truth).map { $0.label == $1 }, zip(answers[second], truth).map { $0.label == $1 })
  }

  /// Those that became wrong first.
  private func flips(_ first: Int, _ second: Int, _ answers: [[Answer]], _ truth: [Int]) -> [Flip] {
    let flips = truth.indices.filter { answers[first][$0].label != answers[second][$0].label }.map { sample in
      let before = answers[first][sample], after = answers[second][sample]
      let kind: Flip.Kind =
        !isLabelled
        ? .unlabelled
        : before.label == truth[sample]
          ? .becameWrong : after.label == truth[sample] ? .becameRight : .bothWrong
      return Flip(
        sample: sample, kind: kind, baseline: .init(label: before.label, score: Float(before.confidence)),
        other: .init(label: after.label, score: Float(after.confidence)))
    }
    return flips.filter { $0.kind == .becameWrong } + flips.filter { $0.kind != .becameWrong }
  }

  private func pair(
    _ other: Int, _ models: [ModelReport], _ answers: [[Answer]], _ truth: [Int]
  ) -> PairReport {
    let flips = flips(0, other, answers, truth)
    let paired = PairedAccuracy(outcomes(0, other, answers, truth))
    let held = margin.map { MarginReport($0, paired) }
    let changes = classes.indices.map {
      ClassChange(
        label: $0, baseline: metrics($0, answers[0], truth), other: metrics($0, answers[other], truth))
    }
    return PairReport(
      baseline: 0, other: other, agreement: Proportion(sampleCount - flips.count, of: sampleCount),
      kappa: 0.931,
      divergence: Spread(mean: 0.0231, median: 0.0112, p95: 0.0934, least: 0.0001, greatest: 0.412),
      cosine: Spread(mean: 0.99132, median: 0.9952, p95: 0.99991, least: 0.8841, greatest: 1),
      accuracy: isLabelled ? paired : nil, top5: nil,
      flips: flips, classes: isLabelled ? changes.sorted { $0.recallChange < $1.recallChange } : [],
      verdict: "",
      margin: held, marginSentence: held.map { "\($0.outcome.rawValue) the margin" },
      speed: SpeedRatio(
        baseline: models[0].cost.runMilliseconds, other: models[other].cost.runMilliseconds))
  }

  private func layers(_ random: inout SeededRandom) -> LayerReport {
    let rows = (0..<66).map { position in
      let noise = Double.random(in: -4...4, using: &random)
      let decibels = position == 2 ? .infinity : position == 21 ? 7.4 : 36 - Double(position) * 0.22 + noise
      let error = pow(10, -decibels / 20)
      let label = "expanded_conv_\(position / 4)/depthwise_\(position % 4)/Relu6"
      return LayerRow(
        position: position, kind: "depthwiseConv2D", baselineLabel: label, otherLabel: label,
        baselineType: "float32", otherType: "int8", shape: [1, 14, 14, 96],
        difference: ValueDifference(
          signalToNoise: decibels, cosine: 1 - error / 4, gain: 1, greatestError: 6 * error, meanError: error,
          baselineRange: 6, count: 8 * 14 * 14 * 96, notFinite: 0))
    }
    return LayerReport(
      baseline: 0, other: 1, sampleCount: 8, rowsInRunOrder: rows, unmatchedInBaseline: ["Add"],
      unmatchedInOther: ["Quantize", "Dequantize"], bound: DivergenceBound(leastSignalToNoise: 10))
  }

  private static let provenance = Provenance(
    date: "2026-01-01T12:00:00Z",
    arguments: ["apus", "compare", "models/float.tflite", "models/int8.tflite", "--data", "my samples"],
    seed: 20_260_101, resamples: 10_000, limit: nil, threads: 2, processor: "Xeon", kernelSet: "avx512vnni",
    isOptimized: true,
    versions: [.init(name: "Apus", version: "1.0"), .init(name: "System", version: "Debian 12")])
}
