import CIntrinsics

/// The sum or difference of two 8-bit tensors: by a plane through float32 where one rounds as the reference does, else as that.
@inline(never)
func addInteger8(_ arguments: UnsafePointer<ApusQuantizedAdd>) {
  let add = arguments.pointee
  // Flipping the top bit of a signed byte adds 128.
  let flip = Int32Vector(repeating: add.isSigned != 0 ? 0x80 : 0)
  if let tables = add.tables {
    addInFixedPoint(add, tables, flip)
  } else {
    addByPlane(add, flip)
  }
}

/// Each operand brought to a common scale by a fixed-point multiplication, then their sum to the result's by a third.
@inline(__always)
private func addInFixedPoint(_ add: ApusQuantizedAdd, _ tables: UnsafeRawPointer, _ flip: Int32Vector) {
  let all = QuantumRange(low: .min, high: .max)
  let scaleA = FixedPointRequantizer(tables, all)
  let scaleB = FixedPointRequantizer(tables + fixedPointTableBytes, all)
  let scaleSum = FixedPointRequantizer(
    tables + 2 &* fixedPointTableBytes, QuantumRange(low: add.lowQuantum, high: add.highQuantum))
  let zeroA = Int32Vector(repeating: add.zeroPointA) &+ flip
  let zeroB = Int32Vector(repeating: add.zeroPointB) &+ flip
  let shift = Int32Vector(repeating: add.leftShift)
  // x ^ -1 - -1 is -x.
  let sign = Int32Vector(repeating: add.subtracts != 0 ? -1 : 0)
  var index = 0
  while index < add.count {
    let a = ((apus_load_u8(add.a + index) ^ flip) &- zeroA) &<< shift
    let b = ((apus_load_u8(add.b + index) ^ flip) &- zeroB) &<< shift
    let addend = (scaleB.result(b) ^ sign) &- sign
    scaleSum.store(scaleA.result(a) &+ addend, to: add.c + index, add.count &- index)
    index &+= lanes
  }
}

@inline(__always)
private func addByPlane(_ add: ApusQuantizedAdd, _ flip: Int32Vector) {
  let slopeA = FloatVector(repeating: add.slopeA)
  let slopeB = FloatVector(repeating: add.slopeB)
  let offset = FloatVector(repeating: add.offset)
  var index = 0
  while index < add.count {
    let a = apus_to_f32(apus_load_u8(add.a + index) ^ flip)
    let b = apus_to_f32(apus_load_u8(add.b + index) ^ flip)
    let sum = apus_fma(apus_fma(offset, a, slopeA), b, slopeB)
    apus_store_saturated(
      add.c + index, apus_nearest_i32(sum), add.isSigned != 0 ? 0 : 0x80, add.count &- index)
    index &+= lanes
  }
}
