import Kernels

extension ColumnResample {
  init(_ pixels: Pixels, sourceWidth: Int, _ weights: FixedPointWeights, kernels: KernelSet = .best) {
    self.init(
      pixels, sourceWidth: sourceWidth, starts: weights.starts, counts: weights.counts,
      weights: weights.weights,
      taps: weights.taps, precision: weights.precision, kernels: kernels)
  }
}

extension RowCombination {
  init(_ weights: FixedPointWeights, kernels: KernelSet = .best) {
    self.init(weights: weights.weights, taps: weights.taps, precision: weights.precision, kernels: kernels)
  }
}
