import CIntrinsics

/// Depthwise convolution in float32.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the biases, then the
/// channels' weights of each tap in row order.
@inline(never)
func depthwiseFloat32(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  let taps = d.kernelHeight &* d.kernelWidth
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: max(taps, 27)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 4, places: base)
    let is3x3 =
      d.kernelHeight == 3 && d.kernelWidth == 3 && d.dilationY == 1 && d.dilationX == 1
    if is3x3, d.strideX == 1 {
      forEachDepthwiseBlock(
        d, { block3x3(Block4.self, Stride1.self, window, x: $0, y: $1) },
        { block3x3(Block1.self, Stride1.self, window, x: $0, y: $1) })
    } else if is3x3, d.strideX == 2 {
      forEachDepthwiseBlock(
        d, { block3x3(Block4.self, Stride2.self, window, x: $0, y: $1) },
        { block3x3(Block1.self, Stride2.self, window, x: $0, y: $1) })
    } else {
      for y in d.firstRow..<d.endRow {
        for x in 0..<d.outputWidth { generalPixel(window, x: x, y: y) }
      }
    }
  }
}

@inline(__always)
private func block3x3<B: DepthwiseBlock, S: DepthwiseStride>(
  _: B.Type, _: S.Type, _ window: DepthwiseWindow, x: Int, y: Int
) {
  let d = window.arguments
  let columns = S.step &* (B.outputs &- 1) &+ 3
  let pixelStride = d.channels &* 4
  if window.isInside(x: x, y: y, columns: columns) {
    let rowStride = d.inputWidth &* pixelStride
    let corner =
      d.input + ((y &* d.strideY &- d.padTop) &* d.inputWidth &+ x &* S.step &- d.padLeft) &* pixelStride
    channels3x3(B.self, S.self, d, x: x, y: y) { corner + ($0 &* rowStride &+ $1 &* pixelStride) }
  } else {
    window.locate(x: x, y: y, columns: columns)
    let places = window.places
    channels3x3(B.self, S.self, d, x: x, y: y) { places[$0 &* columns &+ $1] }
  }
}

@inline(__always)
private func channels3x3<B: DepthwiseBlock, S: DepthwiseStride>(
  _: B.Type, _: S.Type, _ d: ApusDepthwise, x: Int, y: Int,
  _ place: (_ row: Int, _ column: Int) -> UnsafeRawPointer
) {
  let low = FloatVector(repeating: d.low)
  let high = FloatVector(repeating: d.high)
  let pixelStride = d.channels &* 4
  let target = d.output + (y &* d.outputWidth &+ x) &* pixelStride
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    let offset = channel &* 4
    let zero = FloatVector(repeating: 0)
    var (s0, s1, s2, s3) = (zero, zero, zero, zero)
    @inline(__always) func tap(_ row: Int, _ column: Int) {
      let w: FloatVector = weights.vector((1 &+ row &* 3 &+ column) &* vectorBytes)
      s0 = apus_fma(s0, place(row, column).vector(offset), w)
      if B.outputs > 1 {
        s1 = apus_fma(s1, place(row, column &+ S.step).vector(offset), w)
        s2 = apus_fma(s2, place(row, column &+ 2 &* S.step).vector(offset), w)
        s3 = apus_fma(s3, place(row, column &+ 3 &* S.step).vector(offset), w)
      }
    }
    tap(0, 0); tap(0, 1); tap(0, 2)
    tap(1, 0); tap(1, 1); tap(1, 2)
    tap(2, 0); tap(2, 1); tap(2, 2)
    let bias: FloatVector = weights.vector()
    let valid = d.channels &- channel
    storeFloats(apus_clamp_f32(s0 + bias, low, high), target + offset, valid)
    if B.outputs > 1 {
      storeFloats(apus_clamp_f32(s1 + bias, low, high), target + (offset &+ pixelStride), valid)
      storeFloats(apus_clamp_f32(s2 + bias, low, high), target + (offset &+ 2 &* pixelStride), valid)
      storeFloats(apus_clamp_f32(s3 + bias, low, high), target + (offset &+ 3 &* pixelStride), valid)
    }
    weights += 10 &* vectorBytes
    channel &+= lanes
  }
}

@inline(__always)
private func storeFloats(_ values: FloatVector, _ address: UnsafeMutableRawPointer, _ valid: Int) {
  if valid >= lanes {
    address.storeBytes(of: values, as: FloatVector.self)
  } else {
    apus_store_part_f32(address, values, valid)
  }
}

@inline(__always)
private func generalPixel(_ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locate(x: x, y: y, columns: d.kernelWidth)
  let taps = d.kernelHeight &* d.kernelWidth
  let target = d.output + (y &* d.outputWidth &+ x) &* d.channels &* 4
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sum = FloatVector(repeating: 0)
    for tap in 0..<taps {
      sum = apus_fma(
        sum, window.places[tap].vector(channel &* 4), weights.vector((1 &+ tap) &* vectorBytes))
    }
    let bias: FloatVector = weights.vector()
    sum = apus_clamp_f32(
      sum + bias, FloatVector(repeating: d.low), FloatVector(repeating: d.high))
    storeFloats(sum, target + channel &* 4, d.channels &- channel)
    weights += (1 &+ taps) &* vectorBytes
    channel &+= lanes
  }
}
