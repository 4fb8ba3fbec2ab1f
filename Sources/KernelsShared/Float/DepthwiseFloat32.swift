import CIntrinsics

/// Depthwise convolution in float32.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the biases, then the
/// channels' weights of each tap in row order.
@inline(never)
func depthwiseFloat32(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: DepthwiseWindow.capacity(d)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 4, places: base)
    if Float32Square.convolve(window) { return }
    if DepthwiseWindow.sharesTaps(d) {
      forEachDepthwiseBlock(d) {
        anyWindow(Block4.self, window, x: $0, y: $1)
      } single: {
        anyWindow(Block1.self, window, x: $0, y: $1)
      }
    } else {
      for y in d.firstRow..<d.endRow {
        for x in 0..<d.outputWidth { anyWindow(Block1.self, window, x: x, y: y) }
      }
    }
  }
}

private enum Float32Square: DepthwiseSquare {
  @inline(__always) static var elementBytes: Int { 4 }
  @inline(__always) static var largestSide: Int { 7 }

  @inline(__always)
  static func block<K: DepthwiseSide, S: DepthwiseStride, B: DepthwiseBlock>(
    _: K.Type, _: S.Type, _: B.Type, _ d: ApusDepthwise, x: Int, y: Int,
    _ place: (_ row: Int, _ column: Int) -> UnsafeRawPointer
  ) {
    let result = FloatResult(d, x: x, y: y)
    var weights = UnsafeRawPointer(d.weights)
    var channel = 0
    while channel < d.channels {
      let offset = channel &* 4
      var sums = BlockSums(FloatVector(repeating: 0))
      var taps = weights
      for row in 0..<K.taps {
        K.forEachColumn { column in
          taps += vectorBytes
          let weight: FloatVector = taps.vector()
          sums.update(B.self) { sum, output in
            sum = apus_fma(sum, place(row, column &+ output &* S.step).vector(offset), weight)
          }
        }
      }
      result.store(B.self, sums, bias: weights.vector(), channel: channel)
      weights = taps + vectorBytes
      channel &+= lanes
    }
  }
}

/// Neighbouring outputs whose windows may have any shape.
@inline(__always)
private func anyWindow<B: DepthwiseBlock>(_: B.Type, _ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locateTaps(x: x, y: y, outputs: B.outputs)
  let taps = d.kernelHeight &* d.kernelWidth
  let result = FloatResult(d, x: x, y: y)
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sums = BlockSums(FloatVector(repeating: 0))
    for tap in 0..<taps {
      let places = window.places + tap &* B.outputs
      let weight: FloatVector = weights.vector((1 &+ tap) &* vectorBytes)
      sums.update(B.self) { sum, output in
        sum = apus_fma(sum, places[output].vector(channel &* 4), weight)
      }
    }
    result.store(B.self, sums, bias: weights.vector(), channel: channel)
    weights += (1 &+ taps) &* vectorBytes
    channel &+= lanes
  }
}

/// Where the results of a block go, and what they are limited to.
private struct FloatResult {
  let target: UnsafeMutableRawPointer
  let channels: Int
  let low: FloatVector
  let high: FloatVector

  @inline(__always)
  init(_ d: ApusDepthwise, x: Int, y: Int) {
    target = d.output + (y &* d.outputWidth &+ x) &* d.channels &* 4
    channels = d.channels
    low = FloatVector(repeating: d.low)
    high = FloatVector(repeating: d.high)
  }

  @inline(__always)
  func store<B: DepthwiseBlock>(_: B.Type, _ sums: BlockSums<FloatVector>, bias: FloatVector, channel: Int) {
    sums.forEach(B.self) { sum, output in
      let values = apus_clamp_f32(sum + bias, low, high)
      let address = target + (output &* channels &+ channel) &* 4
      if channels &- channel >= lanes {
        address.storeBytes(of: values, as: FloatVector.self)
      } else {
        apus_store_part_f32(address, values, channels &- channel)
      }
    }
  }
}
