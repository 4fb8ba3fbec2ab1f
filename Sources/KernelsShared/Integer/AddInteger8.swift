import CIntrinsics

/// The sum of two 8-bit tensors, each brought to a common scale by a fixed-point multiplication, then to the
/// result's by a third.
@inline(never)
func addInteger8(_ arguments: UnsafePointer<ApusQuantizedAdd>) {
  let add = arguments.pointee
  let scaleA = Requantizer<TiesAway>(add.tables)
  let scaleB = Requantizer<TiesAway>(add.tables + requantizationTableBytes)
  let scaleSum = Requantizer<TiesAway>(add.tables + 2 &* requantizationTableBytes)
  let lowest = Int32Vector(repeating: .min)
  let highest = Int32Vector(repeating: .max)
  let low = Int32Vector(repeating: add.lowQuantum)
  let high = Int32Vector(repeating: add.highQuantum)
  // Flipping the top bit of a signed byte adds 128.
  let flip = Int32Vector(repeating: add.isSigned != 0 ? 0x80 : 0)
  let zeroA = Int32Vector(repeating: add.zeroPointA) &+ flip
  let zeroB = Int32Vector(repeating: add.zeroPointB) &+ flip
  let shift = Int32Vector(repeating: add.leftShift)
  var index = 0
  while index < add.count {
    let a = ((apus_load_u8(add.a + index) ^ flip) &- zeroA) &<< shift
    let b = ((apus_load_u8(add.b + index) ^ flip) &- zeroB) &<< shift
    let sum =
      scaleA.apply(a, low: lowest, high: highest) &+ scaleB.apply(b, low: lowest, high: highest)
    storeLowBytes(scaleSum.apply(sum, low: low, high: high), add.c + index, add.count &- index)
    index &+= lanes
  }
}
