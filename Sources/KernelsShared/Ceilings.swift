import CIntrinsics

// What one core can do at most, measured by loops that do nothing else. Each operand changes from step to step:
// a product of constants would be computed once.

/// `steps` steps of as many independent fused multiplications and additions as a register tile has; returns
/// something that depends on all of them.
@inline(never)
package func repeatFloat32(_ steps: Int) -> Float {
  let factor = FloatVector(repeating: 0.5)
  let addend = FloatVector(repeating: Float(steps))
  var tile = Tile(repeating: (addend, factor))
  repeatSteps(steps) {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      sum.0 = apus_fma(addend, sum.0, factor)
      sum.1 = apus_fma(addend, sum.1, factor)
    }
  }
  var total = FloatVector(repeating: 0)
  tile.forEachRow(CeilingHeight.self) { _, sum in total += sum.0 + sum.1 }
  return apus_sum_f32(total)
}

/// The same with products of bfloat16 pairs.
@inline(never)
package func repeatBFloat16(_ steps: Int) -> Float {
  var factor = Int32Vector(repeating: 0x3f80_3f00)
  let other = Int32Vector(repeating: Int32(truncatingIfNeeded: steps) | 0x3f00_3f00)
  let start = FloatVector(repeating: 0)
  var tile = Tile(repeating: (start, start))
  repeatSteps(steps) {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      sum.0 = apus_dot_bf16(sum.0, factor, other)
      sum.1 = apus_dot_bf16(sum.1, factor, other)
    }
    factor = factor ^ Int32Vector(repeating: 0x0001_0001)
  }
  var total = start
  tile.forEachRow(CeilingHeight.self) { _, sum in total += sum.0 + sum.1 }
  return apus_sum_f32(total)
}

/// The same with products of four bytes.
@inline(never)
package func repeatInteger8(_ steps: Int) -> Int32 {
  var factor = Int32Vector(repeating: 0x0102_0304)
  let other = Int32Vector(repeating: Int32(truncatingIfNeeded: steps) | 0x0101_0101)
  let start = Int32Vector(repeating: 0)
  var tile = Tile(repeating: (start, start))
  repeatSteps(steps) {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      sum.0 = apus_dot_u8s8(sum.0, factor, other)
      sum.1 = apus_dot_u8s8(sum.1, factor, other)
    }
    factor = factor ^ Int32Vector(repeating: 0x0101_0101)
  }
  var total = start
  tile.forEachRow(CeilingHeight.self) { _, sum in total = total &+ (sum.0 &+ sum.1) }
  return total.wrappedSum()
}

/// Reads `count` bytes, a multiple of 16 vectors, and returns something that depends on all of them.
@inline(never)
package func readBytes(_ address: UnsafeRawPointer, _ count: Int) -> Int32 {
  let step = 16 &* vectorBytes
  var tile = Tile(repeating: (Int32Vector(repeating: 0), Int32Vector(repeating: 0)))
  var offset = 0
  while offset &+ step <= count {
    let block = address + offset
    tile.forEachRow(Height8.self) { row, sum in
      let first = block.vector(2 &* row &* vectorBytes, as: Int32Vector.self)
      let second = block.vector((2 &* row &+ 1) &* vectorBytes, as: Int32Vector.self)
      sum.0 = sum.0 | first
      sum.1 = sum.1 | second
    }
    offset &+= step
  }
  var total = Int32Vector(repeating: 0)
  tile.forEachRow(Height8.self) { _, sum in total = total | (sum.0 | sum.1) }
  return total.wrappedSum()
}

#if ISA_AVX512
  private typealias CeilingHeight = Height12
#else
  private typealias CeilingHeight = Height6
#endif

/// Operations of one step of the loops above: two for each product.
package var float32OperationsPerStep: Int { 2 * 2 * CeilingHeight.rows * vectorLanes }

@inline(__always)
private func repeatSteps(_ steps: Int, _ body: () -> Void) {
  var remaining = steps
  while remaining > 0 {
    body()
    remaining &-= 1
  }
}
