import CIntrinsics

/// The product of two 8-bit tensors: by a line through float32 where one rounds as the reference does, else as that.
@inline(never)
func multiplyInteger8(_ arguments: UnsafePointer<ApusQuantizedMultiply>) {
  let multiply = arguments.pointee
  if let table = multiply.table {
    let range = QuantumRange(low: multiply.lowQuantum, high: multiply.highQuantum)
    multiplyBytes(multiply, FixedPointRequantizer(table, range))
  } else {
    multiplyBytes(
      multiply,
      LineRequantizer(
        slope: FloatVector(repeating: multiply.slope), offset: FloatVector(repeating: multiply.offset),
        flip: multiply.isSigned != 0 ? 0 : 0x80))
  }
}

@inline(__always)
private func multiplyBytes<R: Requantizer>(_ multiply: ApusQuantizedMultiply, _ requantizer: R) {
  var requantizer = requantizer
  // Flipping the top bit of a signed byte adds 128.
  let flip = Int32Vector(repeating: multiply.isSigned != 0 ? 0x80 : 0)
  let zeroA = Int32Vector(repeating: multiply.zeroPointA) &+ flip
  let zeroB = Int32Vector(repeating: multiply.zeroPointB) &+ flip
  var index = 0
  while index < multiply.count {
    let a = (apus_load_u8(multiply.a + index) ^ flip) &- zeroA
    let b = (apus_load_u8(multiply.b + index) ^ flip) &- zeroB
    requantizer.store(a &* b, to: multiply.c + index, multiply.count &- index)
    index &+= lanes
  }
}
