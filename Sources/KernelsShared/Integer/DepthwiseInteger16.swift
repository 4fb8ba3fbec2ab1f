import CIntrinsics

/// Depthwise convolution of int16 elements by 8-bit weights, of at most 511 taps: their products, of at most 2¹⁵ × 2⁷ in
/// magnitude, then fit int32.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the channels' weights of each tap in row
/// order, 16 bits and 16 zeros; then the table of their scaling.
@inline(never)
func depthwiseInteger16(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  let taps = d.kernelHeight &* d.kernelWidth
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: max(taps, 27)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 2, places: base)
    let is3x3 =
      d.kernelHeight == 3 && d.kernelWidth == 3 && d.dilationY == 1 && d.dilationX == 1
    if is3x3, d.strideX == 1 {
      rows3x3(Stride1.self, window)
    } else if is3x3, d.strideX == 2 {
      rows3x3(Stride2.self, window)
    } else {
      for y in d.firstRow..<d.endRow {
        for x in 0..<d.outputWidth { generalPixel(window, x: x, y: y) }
      }
    }
  }
}

@inline(__always)
private func rows3x3<S: DepthwiseStride>(_: S.Type, _ window: DepthwiseWindow) {
  forEachDepthwiseBlock(
    window.arguments, { block3x3(Block4.self, S.self, window, x: $0, y: $1) },
    { block3x3(Block1.self, S.self, window, x: $0, y: $1) })
}

@inline(__always)
private func block3x3<B: DepthwiseBlock, S: DepthwiseStride>(
  _: B.Type, _: S.Type, _ window: DepthwiseWindow, x: Int, y: Int
) {
  let d = window.arguments
  let columns = S.step &* (B.outputs &- 1) &+ 3
  let pixelStride = d.channels &* 2
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
  let range = QuantumRange(low: d.lowQuantum, high: d.highQuantum)
  let pixelStride = d.channels &* 2
  let target = d.output + (y &* d.outputWidth &+ x) &* pixelStride
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    let offset = channel &* 2
    let zero = Int32Vector(repeating: 0)
    var (s0, s1, s2, s3) = (zero, zero, zero, zero)
    @inline(__always) func tap(_ row: Int, _ column: Int) {
      let w: Int32Vector = weights.vector((row &* 3 &+ column) &* vectorBytes)
      s0 = apus_dot_s16(s0, apus_load_u16(place(row, column) + offset), w)
      if B.outputs > 1 {
        s1 = apus_dot_s16(s1, apus_load_u16(place(row, column &+ S.step) + offset), w)
        s2 = apus_dot_s16(s2, apus_load_u16(place(row, column &+ 2 &* S.step) + offset), w)
        s3 = apus_dot_s16(s3, apus_load_u16(place(row, column &+ 3 &* S.step) + offset), w)
      }
    }
    tap(0, 0); tap(0, 1); tap(0, 2)
    tap(1, 0); tap(1, 1); tap(1, 2)
    tap(2, 0); tap(2, 1); tap(2, 2)
    let scaling = WideScaling(weights + 9 &* vectorBytes)
    @inline(__always) func store(_ sum: Int32Vector, _ output: Int) {
      scaling.store(
        WideVector(widening: sum), range, to: target + (offset &+ output &* pixelStride),
        d.channels &- channel)
    }
    store(s0, 0)
    if B.outputs > 1 {
      store(s1, 1)
      store(s2, 2)
      store(s3, 3)
    }
    weights += 9 &* vectorBytes &+ wideScalingTableBytes
    channel &+= lanes
  }
}

@inline(__always)
private func generalPixel(_ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locate(x: x, y: y, columns: d.kernelWidth)
  let taps = d.kernelHeight &* d.kernelWidth
  let range = QuantumRange(low: d.lowQuantum, high: d.highQuantum)
  let target = d.output + (y &* d.outputWidth &+ x) &* d.channels &* 2
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sum = Int32Vector(repeating: 0)
    for tap in 0..<taps {
      sum = apus_dot_s16(
        sum, apus_load_u16(window.places[tap] + channel &* 2), weights.vector(tap &* vectorBytes))
    }
    weights += taps &* vectorBytes
    WideScaling(weights).store(
      WideVector(widening: sum), range, to: target + channel &* 2, d.channels &- channel)
    weights += wideScalingTableBytes
    channel &+= lanes
  }
}
