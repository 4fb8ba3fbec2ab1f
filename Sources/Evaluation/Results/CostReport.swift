import Apus

/// What a model costs on this machine.
public struct CostReport: Sendable {
  /// Bytes of the model's files on disk.
  public var byteCount: Int
  /// Bytes that the model keeps in memory after its runs: weights as the kernels read them, and the memory of runs.
  /// Counted, not measured, so that it does not matter which model came first, nor whether two share their weights.
  /// Tokenizers, names of classes and what the process itself takes are not in it.
  public var memoryByteCount: Int
  /// Bytes that one run works in: intermediate results, and scratch memory of the kernels.
  public var workspaceByteCount: Int
  /// Opening, reading and packing.
  public var loadTime: Duration { Duration(milliseconds: loadMilliseconds) }
  package var loadMilliseconds: Double
  /// The time of the model alone on each sample, in the order of ``DataReport/samples``; of few samples
  /// the median of several runs. Models take turns on each sample, in an order that turns and is reversed, so that what
  /// else the machine does falls on all of them alike, and none always runs behind the same other.
  public var runTimes: [Duration] { runMilliseconds.map { Duration(milliseconds: $0) } }
  package var runMilliseconds: [Double]
  /// The time that half of the runs stay below.
  public var medianTime: Duration { Duration(milliseconds: median) }
  package var median: Double
  /// The time that 95 % of the runs stay below.
  public var p95Time: Duration { Duration(milliseconds: p95) }
  package var p95: Double
  /// The median time from the decoded sample to the model's input.
  public var preparationTime: Duration { Duration(milliseconds: preparationMedian) }
  package var preparationMedian: Double
  /// Samples per second, prepared and run one after the other.
  public var throughput: Double

  package init(
    byteCount: Int, memoryByteCount: Int, workspaceByteCount: Int, loadMilliseconds: Double,
    runMilliseconds: [Double], median: Double, p95: Double, preparationMedian: Double, throughput: Double
  ) {
    self.byteCount = byteCount
    self.memoryByteCount = memoryByteCount
    self.workspaceByteCount = workspaceByteCount
    self.loadMilliseconds = loadMilliseconds
    self.runMilliseconds = runMilliseconds
    self.median = median
    self.p95 = p95
    self.preparationMedian = preparationMedian
    self.throughput = throughput
  }
}
