import Apus
import Benchmark
import Foundation

/// The facade with the models of `Weights`, as programs use it.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .peakMemoryResident], warmupIterations: 5, maxDuration: .seconds(3),
    maxIterations: 5000)

  Benchmark("load rice-leaf int8") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try riceLeaf()) }
  }

  Benchmark("classify a picture, rice-leaf int8") { benchmark, classifier in
    for _ in benchmark.scaledIterations { blackHole(try classifier.blocking.classify(sample)) }
  } setup: {
    try riceLeaf()
  }

  Benchmark("zero-shot labels, scenes") { benchmark, classifier in
    for _ in benchmark.scaledIterations {
      blackHole(
        try classifier.blocking.classify(sample, labels: ["a red circle", "a blue square", "a green star"]))
    }
  } setup: {
    try ZeroShotClassifier(weights("scenes"))
  }

  for precision in [Precision.float32, .int8] {
    Benchmark("sentiment of a sentence, \(precision)") { benchmark, classifier in
      for _ in benchmark.scaledIterations {
        blackHole(try classifier.blocking.classify("A film that never finds its feet, and never needs to."))
      }
    } setup: {
      try TextClassifier(weights("sentiment"), options: options(precision))
    }
  }
}

private func riceLeaf() throws -> ImageClassifier {
  try ImageClassifier(weights("rice-leaf/rice_v1_int8.tflite"))
}

private let sample = Picture.file(weights("scenes/samples/three-red-circles.png"))

private func options(_ precision: Precision) -> TextClassifier.Options {
  var options = TextClassifier.Options()
  options.inference.precision = precision
  return options
}

/// A path in the folder of shipped models.
private func weights(_ path: String) -> String {
  var root = URL(fileURLWithPath: #filePath)
  for _ in 0..<4 { root.deleteLastPathComponent() }
  return root.appendingPathComponent("Weights").appendingPathComponent(path).path
}
