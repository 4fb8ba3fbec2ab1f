import Graph
import TensorCore

/// Runs a float network on samples and tells what numbers its activations have.
struct ActivationObserver {
  private let network: FloatNetwork
  private let tensors: [Int]
  private let workspace: Workspace
  private let memory: ObservationMemory?

  /// - Parameter memory: of what was seen of the same activations on the same samples.
  init(_ network: FloatNetwork, memory: ObservationMemory? = nil, threads: Int) throws(ApusError) {
    self.network = network
    self.memory = memory
    tensors = network.activations
    var options = CompileOptions()
    options.threads = threads
    workspace = try Compiler.compile(network.observed, options).makeWorkspace()
  }

  /// The range of each activation over all samples, and the mean of each of its channels.
  /// - Throws: ``ApusError`` that names the tensor and sample with a number that is not finite.
  func ranges(
    _ source: some CalibrationSource
  ) throws(ApusError) -> (ranges: [Int: ValueRange], means: [Int: ChannelMeans]) {
    if let known = memory?.ranges(of: tensors) { return known }
    var ranges: [Int: ValueRange] = [:]
    var means: [Int: ChannelMeans] = [:]
    for tensor in tensors {
      ranges[tensor] = ValueRange()
      means[tensor] = ChannelMeans(count: try network.type(tensor).shape.dimensions.last ?? 1)
    }
    try forEach(source) { (sample, tensor, values) throws(ApusError) in
      means[tensor]?.add(values)
      guard ranges[tensor]?.add(values) == true else {
        throw ApusError(
          .unsupportedModel, "has numbers that are not finite on sample \(sample)", expected: "finite ones",
          at: network.label(tensor))
      }
    }
    memory?.keep(ranges: ranges, means: means)
    return (ranges, means)
  }

  /// How the numbers of each activation are spread over its range.
  func histograms(
    _ source: some CalibrationSource, _ ranges: [Int: ValueRange]
  ) throws(ApusError) -> [Int: ValueHistogram] {
    if let known = memory?.histograms(of: Array(ranges.keys)) { return known }
    var histograms = ranges.mapValues { ValueHistogram($0) }
    try forEach(source) { (_, tensor, values) throws(ApusError) in histograms[tensor]?.add(values) }
    memory?.keep(histograms: histograms)
    return histograms
  }

  /// Calls `body` with the numbers of each activation for each sample.
  private func forEach(
    _ source: some CalibrationSource,
    _ body: (Int, Int, UnsafeBufferPointer<Float>) throws(ApusError) -> Void
  ) throws(ApusError) {
    for sample in 0..<source.count {
      try workspace.setInputs(try source.inputs(sample))
      try workspace.run()
      for (place, tensor) in tensors.enumerated() {
        try body(sample, tensor, workspace.outputBytes(place).bindMemory(to: Float.self))
      }
    }
  }
}
