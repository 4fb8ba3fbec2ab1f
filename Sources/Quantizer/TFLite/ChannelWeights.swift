import TensorCore

/// Weights brought to int8 with a scale for each slice along an axis, symmetric, and what that cost.
struct ChannelWeights {
  /// −127…127, laid out as the weights were.
  let elements: [Int8]
  let scales: [Float]
  let error: SignalToNoise
  let clipping: Clipping
  /// What became of each weight less what it was.
  private let differences: [Float]
  private let dimensions: [Int]
  private let axis: Int

  /// - Parameters:
  ///   - axis: whose slices have a scale each.
  ///   - leastScales: scales that must not be gone below, one for each slice: the bias must fit 32 bits.
  /// - Throws: ``ApusError`` when a weight is not finite.
  init(
    _ weights: Tensor, axis: Int, named name: String, leastScales: (Int) -> Float
  ) throws(ApusError) {
    let dimensions = weights.shape.dimensions
    guard dimensions.indices.contains(axis), weights.shape.elementCount > 0 else {
      throw ApusError(
        .malformedModel, "weights of shape \(weights.shape)", expected: "\(axis + 1) axes or more, not empty",
        at: name)
    }
    var values: [Float] = []
    try FloatChunks(weights, named: name).forEach { (_, chunk) throws(ApusError) in values += chunk }
    let channels = dimensions[axis]
    let inner = dimensions[(axis + 1)...].reduce(1, *)
    let outer = values.count / (channels * inner)
    var elements = [Int8](repeating: 0, count: values.count)
    var differences = [Float](repeating: 0, count: values.count)
    var scales: [Float] = []
    var shares: [Float] = []
    var error = SignalToNoise()
    for channel in 0..<channels {
      let places = (0..<outer).flatMap { block in
        let start = (block * channels + channel) * inner
        return start..<start + inner
      }
      let row = places.map { values[$0] }
      let found = row.withUnsafeBufferPointer { RowScale($0) }
      let scale = max(found.scale, leastScales(channel))
      for (place, value) in zip(places, row) {
        let quantum = RowScale.quantum(value, inverse: 1 / scale)
        elements[place] = Int8(quantum)
        differences[place] = quantum * scale - value
        error.add(value, became: quantum * scale)
      }
      scales.append(scale)
      shares.append(found.share)
    }
    self.elements = elements
    self.differences = differences
    self.dimensions = dimensions
    self.axis = axis
    self.scales = scales
    self.error = error
    clipping = Clipping(shares)
  }

  /// By how much the rounding of the weights moves the mean of each result, when inputs have these means: the sums
  /// `Σ (ŵ − w) · mean` of each channel; none when there are not as many means as the weights need.
  ///
  /// Source: Nagel et al. 2019, "Data-Free Quantization Through Weight Equalization and Bias Correction",
  /// section 4.2. What padding takes away at the borders is not counted.
  func shifts(_ means: [Double]) -> [Double] {
    let channels = scales.count
    guard let last = dimensions.last, !means.isEmpty else { return [] }
    var shifts = [Double](repeating: 0, count: channels)
    if axis == 0 {
      guard last == means.count else { return [] }
      let depth = differences.count / channels
      for (place, difference) in differences.enumerated() {
        shifts[place / depth] += Double(difference) * means[place % last]
      }
    } else {
      // Depthwise: each input channel has as many results as the multiplier says.
      guard axis == dimensions.count - 1, channels % means.count == 0 else { return [] }
      let multiplier = channels / means.count
      for (place, difference) in differences.enumerated() {
        let channel = place % channels
        shifts[channel] += Double(difference) * means[channel / multiplier]
      }
    }
    return shifts
  }
}
