import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Weights have a scale for each slice of an axis, and what rounding does to the mean of results is known.
struct ChannelWeightsTests {
  private func weights(_ values: [Float], _ shape: [Int], axis: Int) throws -> ChannelWeights {
    try ChannelWeights(Tensor(values, shape: Shape(shape)), axis: axis, named: "w") { _ in 0 }
  }

  @Test(arguments: [([5, 2, 3, 4], 0), ([1, 3, 3, 7], 3), ([6, 10], 0)])
  func slicesHaveTheirScales(_ shape: [Int], _ axis: Int) throws {
    var random = SeededRandom()
    let inner = shape[(axis + 1)...].reduce(1, *)
    let values = random.floats(shape.reduce(1, *)).enumerated().map { place, value in
      value * Float(1 + place / inner % shape[axis])
    }
    let found = try weights(values, shape, axis: axis)
    #expect(found.scales.count == shape[axis])
    for (place, value) in values.enumerated() {
      let scale = found.scales[place / inner % shape[axis]]
      #expect(abs(Float(found.elements[place]) * scale - value) <= max(scale, 0.03 * abs(value)))
    }
    #expect(found.error.decibels > 35)
  }

  @Test func leastScalesAreKept() throws {
    let found = try ChannelWeights(
      Tensor([1, 2, 3, 4] as [Float], shape: Shape([2, 2])), axis: 0, named: "w"
    ) { $0 == 0 ? 0.5 : 0 }
    #expect(found.scales[0] == 0.5 && found.scales[1] < 0.05)
  }

  /// The shift of the mean is that of the results, for inputs of these means.
  @Test func shiftsAreThoseOfTheMeans() throws {
    var random = SeededRandom()
    let (means, values) = (random.floats(6).map(Double.init), random.floats(4 * 2 * 6))
    let full = try weights(values, [4, 1, 2, 6], axis: 0)
    for channel in 0..<4 {
      let expected = (0..<12).reduce(0.0) { sum, index in
        let place = channel * 12 + index
        return sum + (Double(full.elements[place]) * Double(full.scales[channel]) - Double(values[place]))
          * means[index % 6]
      }
      #expect(abs(full.shifts(means)[channel] - expected) < 1e-6)
    }
    // Two results for each of three inputs.
    let depthwise = try weights(Array(values[..<24]), [1, 2, 2, 6], axis: 3)
    for channel in 0..<6 {
      let expected = (0..<4).reduce(0.0) { sum, window in
        let place = window * 6 + channel
        let difference =
          Double(depthwise.elements[place]) * Double(depthwise.scales[channel]) - Double(values[place])
        return sum + difference * means[channel / 2]
      }
      #expect(abs(depthwise.shifts(Array(means[..<3]))[channel] - expected) < 1e-6)
    }
    #expect(full.shifts([]) == [] && full.shifts([1, 2]) == [] && depthwise.shifts([1, 2, 3, 4]) == [])
  }
}
