import CIntrinsics

/// The sum of two 8-bit tensors, each brought to a common scale by a fixed-point multiplication, then to the
/// result's by a third.
@inline(never)
package func addInteger8(_ arguments: UnsafePointer<ApusQuantizedAdd>) {
  let add = arguments.pointee
  var index = 0
  while index < add.count {
    let sum = addVector(add, at: index)
    let valid = add.count &- index
    if valid >= lanes {
      apus_store_low_bytes(add.c + index, sum)
    } else {
      apus_store_low_bytes_part(add.c + index, sum, valid)
    }
    index &+= lanes
  }
}

@inline(__always)
private func addVector(_ add: ApusQuantizedAdd, at index: Int) -> Int32Vector {
  let unlimited = (low: Int32Vector(repeating: .min), high: Int32Vector(repeating: .max))
  let flip = Int32Vector(repeating: add.isSigned != 0 ? 0x80 : 0)
  // Flipping the top bit of a signed byte adds 128.
  let bias: Int32 = add.isSigned != 0 ? 128 : 0
  let shift = Int32Vector(repeating: add.leftShift)
  let a = ((apus_load_u8(add.a + index) ^ flip) &- Int32Vector(repeating: add.zeroPointA &+ bias)) &<< shift
  let b = ((apus_load_u8(add.b + index) ^ flip) &- Int32Vector(repeating: add.zeroPointB &+ bias)) &<< shift
  let scaledA = apus_requantize(a, add.tables, 1, unlimited.low, unlimited.high)
  let scaledB = apus_requantize(b, add.tables + requantizationTableBytes, 1, unlimited.low, unlimited.high)
  return apus_requantize(
    scaledA &+ scaledB, add.tables + 2 &* requantizationTableBytes, 1,
    Int32Vector(repeating: add.lowQuantum), Int32Vector(repeating: add.highQuantum))
}
