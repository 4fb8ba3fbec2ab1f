import Apus
import CLibrary
import Graph
import KernelBenchmarks
import Kernels
import Networks
import TensorCore

/// A model to be measured: loaded for a number of threads, with inputs.
struct BenchedModel {
  let threads: Int
  let loadMilliseconds: Double
  /// Of the first run of the model, which finds no cache warm and, where weights are mapped, none of them read.
  let firstMilliseconds: Double
  private let session: RunSession
  private(set) var samples: Samples?

  /// Of the runs that were measured; nil before there are any.
  var medianMilliseconds: Double? { samples.map { $0.median / 1e6 } }

  var compiled: CompiledModel { session.model.compiled }
  var computation: Computation { session.computation }

  init(
    _ path: String, part: ModelPart?, tokens: Int?, inference: InferenceOptions
  ) throws(ApusError) {
    threads = ModelOptions.effectiveThreads(inference.threads)
    let inputs = try SampleInputs.tensors(
      for: OpenedModel(path, variant: inference.variant).network(named: part?.rawValue), tokens: tokens)
    // Reading the tokenizer and writing a sentence is no part of loading.
    var watch = Stopwatch()
    let opened = try OpenedModel(path, variant: inference.variant)
    let network = try opened.network(named: part?.rawValue)
    session = RunSession(
      try network.runner(opened.options(inference, for: network)).runs(inputs), part: network.name)
    loadMilliseconds = watch.lap()
    firstMilliseconds = try session.run(count: 1).milliseconds.reduce(0, +)
  }

  /// Runs all models in turns, a few runs each time, until each has had its time.
  static func measure(
    _ models: inout [BenchedModel], warmup: Int, runs: Int?, seconds: Double
  ) throws(ApusError) {
    for model in models where warmup > 0 { _ = try model.session.run(count: warmup) }
    var milliseconds = [[Double]](repeating: [], count: models.count)
    var spent = [Double](repeating: 0, count: models.count)
    func isDone(_ index: Int) -> Bool {
      if let runs { return milliseconds[index].count >= runs }
      return spent[index] >= seconds * 1000 || milliseconds[index].count >= mostRuns
    }
    while let _ = models.indices.first(where: { !isDone($0) }) {
      for index in models.indices where !isDone(index) {
        let left =
          runs.map { $0 - milliseconds[index].count }
          ?? models[index].runs(in: seconds * 1000 - spent[index], milliseconds[index])
        let times = try models[index].session.run(count: min(left, runsOfTurn)).milliseconds
        milliseconds[index] += times
        spent[index] += times.reduce(0, +)
      }
    }
    for index in models.indices { models[index].samples = Samples(milliseconds[index].map { $0 * 1e6 }) }
  }

  /// How many runs so many milliseconds allow, by those that were measured before; at least one.
  private func runs(in milliseconds: Double, _ measured: [Double]) -> Int {
    let run = measured.isEmpty ? firstMilliseconds : measured.reduce(0, +) / Double(measured.count)
    return max(1, Int(min(Double(Self.runsOfTurn), milliseconds / max(run, 1e-3))))
  }

  /// Enough that the first run after another model hardly shows in the quantiles.
  private static let runsOfTurn = 25
  private static let mostRuns = 1_000_000

  /// The times of each node over so many runs.
  func profiled(runs: Int) throws(ApusError) -> Profiler {
    let profiler = Profiler(nodeCount: compiled.graph.nodes.count)
    _ = try session.run(count: runs, profiler: profiler)
    return profiler
  }

  /// The course of one run, after a few that wake the threads.
  func traced() throws(ApusError) -> TracedRun {
    let profiler = Profiler(nodeCount: compiled.graph.nodes.count)
    let (_, parts) = try ThreadPool.shared.recordingParts { () throws(ApusError) in
      try session.run(count: 5, profiler: profiler)
    }
    return TracedRun(profiler, parts: parts)
  }
}
