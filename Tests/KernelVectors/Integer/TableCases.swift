import CIntrinsics

/// Writes a requantization table of one vector as `RequantizationTable` does, for sums of some ten thousand.
/// - Parameter areSigned: the results.
func writeTable(_ table: UnsafeMutableRawPointer, isLine: Bool, areSigned: Bool, _ random: inout Random) {
  for lane in 0..<lanes {
    if isLine {
      table.storeBytes(of: 0.004 * (1 + random.float()), toByteOffset: 4 * lane, as: Float.self)
      table.storeBytes(of: 100 * random.float(), toByteOffset: 4 * (lanes + lane), as: Float.self)
      // The mark of a line.
      table.storeBytes(of: 0, toByteOffset: 16 * lanes + 8 * (lane / 2), as: Int64.self)
      continue
    }
    let multiplier = Int32(random.integer(1 << 30...Int(Int32.max)))
    let shift = Int64(random.integer(33...41))
    table.storeBytes(of: multiplier, toByteOffset: 4 * lane, as: Int32.self)
    if lane % 2 == 1 {
      table.storeBytes(of: multiplier, toByteOffset: 4 * (lanes + lane - 1), as: Int32.self)
    }
    let zeroPoint = Int32(random.integer(-128...127))
    let offset = zeroPoint &- Int32(truncatingIfNeeded: Int64(1) << (62 - shift))
    table.storeBytes(of: offset, toByteOffset: 4 * (2 * lanes + lane), as: Int32.self)
    let half = 12 * lanes + (lane % 2) * 12 * lanes + 8 * (lane / 2)
    let rounding = Int64(1) << 30 + Int64(1) << (shift - 1)
    table.storeBytes(of: Int64(1) << 62 + rounding, toByteOffset: half, as: Int64.self)
    table.storeBytes(of: shift, toByteOffset: half + 4 * lanes, as: Int64.self)
    table.storeBytes(of: Int64(-1) << 31, toByteOffset: half + 8 * lanes, as: Int64.self)
    let (d, counted) = (Double(Int64(1) << shift), Double(zeroPoint) - (areSigned ? 0 : 128))
    let lift = counted - 0.5 - Double(APUS_CHECKED_LINE_WIDTH) / 2
    table.storeBytes(of: Float(Double(multiplier) / d), toByteOffset: 4 * (9 * lanes + lane), as: Float.self)
    table.storeBytes(
      of: Float(Double(rounding) / d + lift), toByteOffset: 4 * (10 * lanes + lane), as: Float.self)
    table.storeBytes(
      of: Float(Double(rounding - 1 << 31) / d + lift), toByteOffset: 4 * (11 * lanes + lane), as: Float.self)
  }
}

/// Lines that round as fixed-point multiplications do, for steps as `FixedPointSteps` counts them.
func lineCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for index in 0..<40 {
    let numbers = Block(byteCount: 7 * vectorBytes)
    let reals = Block(byteCount: 3 * 2 * vectorBytes)
    for lane in 0..<lanes {
      let multiplier = results.random.integer(1 << 30...Int(Int32.max))
      let shift = results.random.integer(33...43)
      let (d, rounding) = (1 << shift, 1 << 30 + 1 << (shift - 1))
      let bound = -127 * d - rounding
      let place = bound / multiplier
      let reach = results.random.integer(1000...2_000_000)
      let integers = [
        place, place * multiplier - bound, d / multiplier, d % multiplier, multiplier, -reach / 3, reach,
      ]
      for (row, number) in integers.enumerated() {
        numbers.pointer(Int32.self)[row * lanes + lane] = Int32(truncatingIfNeeded: number)
      }
      reals.pointer(Double.self)[lane] = Double(multiplier) / Double(d)
      reals.pointer(Double.self)[lanes + lane] = Double(rounding) / Double(d) - 0.5
      reals.pointer(Double.self)[2 * lanes + lane] = 1 / Double(d)
    }
    let line = Block(byteCount: 3 * vectorBytes + 4)
    line.fill(0)
    let (n, r, l) = (numbers.pointer(Int32.self), reals.pointer(Double.self), line.pointer(Float.self))
    var fit = ApusLineFit(
      place: n, excess: n + lanes, stride: n + 2 * lanes, remainder: n + 3 * lanes, multiplier: n + 4 * lanes,
      least: n + 5 * lanes, greatest: n + 6 * lanes, slope: r, rise: r + lanes, unit: r + 2 * lanes,
      lineSlope: l,
      lineOffset: l + lanes, lineShift: line.pointer(Int32.self) + 2 * lanes)
    line.pointer(Int32.self)[3 * lanes] = kernels.fitLine(&fit) ? 1 : 0
    results.record("line", line, .exact, (index, 0, 0))
  }
}
