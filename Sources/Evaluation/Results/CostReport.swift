/// What a model costs on this machine.
public struct CostReport: Sendable {
  /// Bytes of the model's files on disk.
  public var byteCount: Int
  /// Bytes of memory by which the process grew when the model was loaded and first run: packed weights, pages of
  /// mapped files that stay, and the workspace. Memory that earlier work freed is used again and not counted.
  /// Nil where the system does not tell.
  public var residentByteCount: Int?
  /// Bytes that one run works in: intermediate results, and scratch memory of the kernels.
  public var workspaceByteCount: Int
  /// Opening, reading and packing, in milliseconds.
  public var loadMilliseconds: Double
  /// The time of each run of the model alone, in milliseconds, in the order of ``DataReport/samples``. Models
  /// take turns on each sample, so that what else the machine does falls on all of them alike.
  public var runMilliseconds: [Double]
  /// The time that half of the runs stay below.
  public var median: Double
  /// The time that 95 % of the runs stay below.
  public var p95: Double
  /// The median time from the decoded sample to the model's input, in milliseconds.
  public var preparationMedian: Double
  /// Samples per second, prepared and run one after the other.
  public var throughput: Double

  package init(
    byteCount: Int, residentByteCount: Int?, workspaceByteCount: Int, loadMilliseconds: Double,
    runMilliseconds: [Double], median: Double, p95: Double, preparationMedian: Double, throughput: Double
  ) {
    self.byteCount = byteCount
    self.residentByteCount = residentByteCount
    self.workspaceByteCount = workspaceByteCount
    self.loadMilliseconds = loadMilliseconds
    self.runMilliseconds = runMilliseconds
    self.median = median
    self.p95 = p95
    self.preparationMedian = preparationMedian
    self.throughput = throughput
  }
}
