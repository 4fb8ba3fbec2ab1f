/// Columns whose sums become 8-bit results, as their requantization is packed.
package struct RequantizedColumns {
  let multipliers: ArraySlice<FixedPointMultiplier>
  /// For each column the sums that there can be, its starting value included.
  let sums: ArraySlice<ClosedRange<Int>>
  let quantization: IntegerQuantization

  package init(
    multipliers: ArraySlice<FixedPointMultiplier>, sums: ArraySlice<ClosedRange<Int>>,
    quantization: IntegerQuantization
  ) {
    self.multipliers = multipliers
    self.sums = sums
    self.quantization = quantization
  }

  subscript(range: Range<Int>) -> RequantizedColumns {
    RequantizedColumns(
      multipliers: multipliers[
        multipliers.startIndex + range.lowerBound..<multipliers.startIndex + range.upperBound],
      sums: sums[sums.startIndex + range.lowerBound..<sums.startIndex + range.upperBound],
      quantization: quantization)
  }
}
