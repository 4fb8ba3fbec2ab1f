import CIntrinsics

/// Depthwise 3×3 convolution of 8-bit elements with undilated windows, strides 1 or 2.
///
/// Weights are packed for each block of as many channels as a vector has lanes: the starting values; for
/// each column of the window the channels' three weights and a zero; the same again for the second part, if
/// there is one; the requantization table. Padding is the input's zero point, which the starting values
/// cancel.
@inline(never)
func depthwise3x3Integer8(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 27) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 1, places: base)
    if d.strideX == 1 { rows3x3(Stride1.self, window) } else { rows3x3(Stride2.self, window) }
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
  if window.isInside(x: x, y: y, columns: columns) {
    let rowStride = d.inputWidth &* d.channels
    let corner =
      d.input + ((y &* d.strideY &- d.padTop) &* d.inputWidth &+ x &* S.step &- d.padLeft) &* d.channels
    channels3x3(B.self, S.self, d, x: x, y: y) { corner + ($0 &* rowStride &+ $1 &* d.channels) }
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
  let flip = Int32Vector(repeating: d.isSigned != 0 ? signFlip & 0x00ff_ffff : 0)
  let parts = d.hasSecondPart != 0 ? 2 : 1
  let target = d.output + (y &* d.outputWidth &+ x) &* d.channels
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    let start: Int32Vector = weights.vector()
    var (s0, s1, s2, s3) = (start, start, start, start)
    @inline(__always) func column(_ index: Int) -> Int32Vector {
      apus_interleave_rows(
        place(0, index) + channel, place(1, index) + channel, place(2, index) + channel) ^ flip
    }
    for part in 0..<parts {
      let taps = weights + (1 &+ 3 &* part) &* vectorBytes
      @inline(__always) func tap(_ index: Int) {
        let w: Int32Vector = taps.vector(index &* vectorBytes)
        s0 = apus_dot_u8s8(s0, column(index), w)
        if B.outputs > 1 {
          s1 = apus_dot_u8s8(s1, column(index &+ S.step), w)
          s2 = apus_dot_u8s8(s2, column(index &+ 2 &* S.step), w)
          s3 = apus_dot_u8s8(s3, column(index &+ 3 &* S.step), w)
        }
      }
      tap(0)
      tap(1)
      tap(2)
    }
    let table = weights + (1 &+ 3 &* parts) &* vectorBytes
    let valid = d.channels &- channel
    @inline(__always) func finish<R: Requantizer>(_ requantizer: R) {
      @inline(__always) func store(_ sum: Int32Vector, _ output: Int) {
        requantizer.store(sum, to: target + (channel &+ output &* d.channels), valid)
      }
      store(s0, 0)
      if B.outputs > 1 {
        store(s1, 1)
        store(s2, 2)
        store(s3, 3)
      }
    }
    if isLine(table) {
      finish(LineRequantizer(table, range))
    } else {
      finish(FixedPointRequantizer(table, range))
    }
    weights = table + requantizationTableBytes
    channel &+= lanes
  }
}

/// Depthwise convolution of 8-bit elements with any window.
///
/// Weights are packed for each block of channels: the starting values, the channels' 32-bit weights of each
/// tap, the requantization table.
@inline(never)
func depthwiseInteger8(_ arguments: UnsafePointer<ApusDepthwise>) {
  let d = arguments.pointee
  let taps = d.kernelHeight &* d.kernelWidth
  withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: max(taps, 1)) { places in
    guard let base = places.baseAddress else { return }
    let window = DepthwiseWindow(arguments: d, elementBytes: 1, places: base)
    for y in d.firstRow..<d.endRow {
      for x in 0..<d.outputWidth { generalPixel(window, x: x, y: y) }
    }
  }
}

@inline(__always)
private func generalPixel(_ window: DepthwiseWindow, x: Int, y: Int) {
  let d = window.arguments
  window.locate(x: x, y: y, columns: d.kernelWidth)
  let taps = d.kernelHeight &* d.kernelWidth
  let flip = Int32Vector(repeating: d.isSigned != 0 ? 0x80 : 0)
  let range = QuantumRange(low: d.lowQuantum, high: d.highQuantum)
  let target = d.output + (y &* d.outputWidth &+ x) &* d.channels
  var weights = UnsafeRawPointer(d.weights)
  var channel = 0
  while channel < d.channels {
    var sum: Int32Vector = weights.vector()
    for tap in 0..<taps {
      let value = apus_load_u8(window.places[tap] + channel) ^ flip
      sum = sum &+ value &* weights.vector((1 &+ tap) &* vectorBytes, as: Int32Vector.self)
    }
    let table = weights + (1 &+ taps) &* vectorBytes
    let (result, valid) = (target + channel, d.channels &- channel)
    if isLine(table) {
      LineRequantizer(table, range).store(sum, to: result, valid)
    } else {
      FixedPointRequantizer(table, range).store(sum, to: result, valid)
    }
    weights = table + requantizationTableBytes
    channel &+= lanes
  }
}
