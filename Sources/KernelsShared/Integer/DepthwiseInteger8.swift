import CIntrinsics

/// Depthwise convolution of 8-bit elements by the square windows of `Integer8Square`.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the starting values; for four rows of
/// the window at a time (the last may be fewer) and each column, the bytes of the channels' weights in these rows, zeros
/// in those that there are not; the same again for the second part, if there is one; the requantization table. Padding
/// is the input's zero point, which the starting values cancel.
@inline(never)
func depthwiseSquareInteger8(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: DepthwiseWindow.capacity(d)) { places in
    guard let base = places.baseAddress else { return }
    _ = Integer8Square.convolve(DepthwiseWindow(arguments: d, elementBytes: 1, places: base))
  }
}

private enum Integer8Square: DepthwiseSquare {
  @inline(__always) static var elementBytes: Int { 1 }
  @inline(__always) static var largestSide: Int { 7 }

  @inline(__always)
  static func block<K: DepthwiseSide, S: DepthwiseStride, B: DepthwiseBlock>(
    _: K.Type, _: S.Type, _: B.Type, _ d: ApusDepthwise, x: Int, y: Int,
    _ place: (_ row: Int, _ column: Int) -> UnsafeRawPointer
  ) {
    let flip = d.isSigned != 0 ? signFlip : 0
    let parts = d.hasSecondPart != 0 ? 2 : 1
    let result = Integer8Result(d, x: x, y: y)
    var weights = UnsafeRawPointer(d.weights)
    var channel = 0
    while channel < d.channels {
      var sums = BlockSums(weights.vector(as: Int32Vector.self))
      var taps = weights
      @inline(__always) func multiply(_ row: Int, _ rows: Int) {
        K.forEachColumn { column in
          taps += vectorBytes
          let weight: Int32Vector = taps.vector()
          sums.update(B.self) { sum, output in
            let values = interleaved(rows, flip) {
              place(row &+ $0, column &+ output &* S.step) + channel
            }
            sum = apus_dot_u8s8(sum, values, weight)
          }
        }
      }
      for _ in 0..<parts {
        multiply(0, min(4, K.taps))
        if K.taps > 4 { multiply(4, K.taps &- 4) }
      }
      weights = result.store(B.self, sums, table: taps + vectorBytes, channel: channel)
      channel &+= lanes
    }
  }

  /// A vector of channels' bytes in one column of one, three or four rows, zeros in those that there are not.
  @inline(__always)
  private static func interleaved(
    _ rows: Int, _ flip: Int32, _ place: (_ row: Int) -> UnsafeRawPointer
  ) -> Int32Vector {
    switch rows {
    case 1: apus_load_u8(place(0)) ^ Int32Vector(repeating: flip & 0xff)
    case 3:
      apus_interleave_rows(place(0), place(1), place(2)) ^ Int32Vector(repeating: flip & 0x00ff_ffff)
    default:
      apus_interleave_four_rows(place(0), place(1), place(2), place(3)) ^ Int32Vector(repeating: flip)
    }
  }
}

/// Depthwise convolution of 8-bit elements with any window.
///
/// Weights are packed for each block of channels: the starting values, the channels' 32-bit weights of each
/// tap, the requantization table.
@inline(never)
func depthwiseInteger8(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: DepthwiseWindow.capacity(d)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 1, places: base)
    for y in d.firstRow..<d.endRow {
      for x in 0..<d.outputWidth { pixel(window, x: x, y: y) }
    }
  }
}

@inline(__always)
private func pixel(_ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locateTaps(x: x, y: y, outputs: 1)
  let taps = d.kernelHeight &* d.kernelWidth
  let flip = Int32Vector(repeating: d.isSigned != 0 ? 0x80 : 0)
  let result = Integer8Result(d, x: x, y: y)
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sum: Int32Vector = weights.vector()
    for tap in 0..<taps {
      let value = apus_load_u8(window.places[tap] + channel) ^ flip
      sum = sum &+ value &* weights.vector((1 &+ tap) &* vectorBytes, as: Int32Vector.self)
    }
    weights = result.store(
      Block1.self, BlockSums(sum), table: weights + (1 &+ taps) &* vectorBytes, channel: channel)
    channel &+= lanes
  }
}

/// Where the results of a block go, and what they are limited to.
private struct Integer8Result {
  let target: UnsafeMutableRawPointer
  let channels: Int
  let range: QuantumRange

  @inline(__always)
  init(_ d: ApusDepthwise, x: Int, y: Int) {
    target = d.output + (y &* d.outputWidth &+ x) &* d.channels
    channels = d.channels
    range = QuantumRange(low: d.lowQuantum, high: d.highQuantum)
  }

  /// Requantizes by the table, and returns where that ends.
  @inline(__always)
  func store<B: DepthwiseBlock>(
    _: B.Type, _ sums: BlockSums<Int32Vector>, table: UnsafeRawPointer, channel: Int
  ) -> UnsafeRawPointer {
    @inline(__always) func finish<R: Requantizer>(_ requantizer: R) {
      var requantizer = requantizer
      let (first, valid) = (target + channel, channels &- channel)
      sums.forEach(B.self) { sum, output in requantizer.store(sum, to: first + output &* channels, valid) }
      if _slowPath(requantizer.isInDoubt) {
        withUnsafePointer(to: sums) {
          storeAgain($0, outputs: B.outputs, table: table, to: first, valid)
        }
      }
    }
    if isLine(table) {
      finish(LineRequantizer(table, range))
    } else {
      finish(CheckedLineRequantizer(table, range))
    }
    return table + requantizationTableBytes
  }

  /// Stores the results of the fixed-point multiplication, whatever was stored. Not inlined, because it is hardly ever needed.
  @inline(never)
  private func storeAgain(
    _ sums: UnsafePointer<BlockSums<Int32Vector>>, outputs: Int, table: UnsafeRawPointer,
    to first: UnsafeMutableRawPointer, _ valid: Int
  ) {
    let sums = UnsafeRawPointer(sums)
    let requantizer = FixedPointRequantizer(table, range)
    for output in 0..<outputs {
      requantizer.store(sums.vector(output &* vectorBytes), to: first + output &* channels, valid)
    }
  }
}
