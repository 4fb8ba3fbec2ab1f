import CIntrinsics

/// Depthwise convolution of int16 elements by 8-bit weights, of at most 511 taps: their products, of at most 2¹⁵ × 2⁷ in
/// magnitude, then fit int32.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the channels' weights of each tap in row
/// order, 16 bits and 16 zeros; then the table of their scaling.
@inline(never)
func depthwiseInteger16(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: DepthwiseWindow.capacity(d)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 2, places: base)
    if Integer16Square.convolve(window) { return }
    for y in d.firstRow..<d.endRow {
      for x in 0..<d.outputWidth { pixel(window, x: x, y: y) }
    }
  }
}

private enum Integer16Square: DepthwiseSquare {
  @inline(__always) static var elementBytes: Int { 2 }
  @inline(__always) static var largestSide: Int { 3 }

  @inline(__always)
  static func block<K: DepthwiseSide, S: DepthwiseStride, B: DepthwiseBlock>(
    _: K.Type, _: S.Type, _: B.Type, _ d: ApusDepthwise, x: Int, y: Int,
    _ place: (_ row: Int, _ column: Int) -> UnsafeRawPointer
  ) {
    let result = Integer16Result(d, x: x, y: y)
    var weights = UnsafeRawPointer(d.weights)
    var channel = 0
    while channel < d.channels {
      let offset = channel &* 2
      var sums = BlockSums(Int32Vector(repeating: 0))
      for row in 0..<K.taps {
        K.forEachColumn { column in
          let weight: Int32Vector = weights.vector()
          sums.update(B.self) { sum, output in
            sum = apus_dot_s16(
              sum, apus_load_u16(place(row, column &+ output &* S.step) + offset), weight)
          }
          weights += vectorBytes
        }
      }
      weights = result.store(B.self, sums, table: weights, channel: channel)
      channel &+= lanes
    }
  }
}

@inline(__always)
private func pixel(_ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locateTaps(x: x, y: y, outputs: 1)
  let taps = d.kernelHeight &* d.kernelWidth
  let result = Integer16Result(d, x: x, y: y)
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sum = Int32Vector(repeating: 0)
    for tap in 0..<taps {
      sum = apus_dot_s16(
        sum, apus_load_u16(window.places[tap] + channel &* 2), weights.vector(tap &* vectorBytes))
    }
    weights = result.store(
      Block1.self, BlockSums(sum), table: weights + taps &* vectorBytes, channel: channel)
    channel &+= lanes
  }
}

/// Where the results of a block go, and what they are limited to.
private struct Integer16Result {
  let target: UnsafeMutableRawPointer
  let channels: Int
  let range: QuantumRange

  @inline(__always)
  init(_ d: ApusDepthwise, x: Int, y: Int) {
    target = d.output + (y &* d.outputWidth &+ x) &* d.channels &* 2
    channels = d.channels
    range = QuantumRange(low: d.lowQuantum, high: d.highQuantum)
  }

  /// Scales by the table, and returns where that ends.
  @inline(__always)
  func store<B: DepthwiseBlock>(
    _: B.Type, _ sums: BlockSums<Int32Vector>, table: UnsafeRawPointer, channel: Int
  ) -> UnsafeRawPointer {
    withUnsafeTemporaryAllocation(
      byteCount: B.outputs &* wideVectorBytes, alignment: vectorBytes
    ) { memory in
      guard let base = memory.baseAddress else { return }
      sums.forEach(B.self) { sum, output in
        WideVector(widening: sum).store(to: base + output &* wideVectorBytes)
      }
      storeScaled(
        base, stride: wideVectorBytes, rows: B.outputs, table: table, range, to: target + channel &* 2,
        resultStride: channels &* 2, channels &- channel)
    }
    return table + wideScalingTableBytes
  }
}
