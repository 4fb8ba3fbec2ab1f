import CIntrinsics

// What one core can do at most, measured by loops that do nothing else. Each operand changes from step to step:
// a product of constants would be computed once.

#if ISA_AVX512
  private typealias CeilingHeight = Height12
#else
  private typealias CeilingHeight = Height6
#endif

/// Operations of one step of the loops below: two for each product.
package var float32OperationsPerStep: Int { 2 * 2 * CeilingHeight.rows * vectorLanes }

/// `steps` steps of as many independent fused multiplications and additions as a register tile has; returns
/// something that depends on all of them.
@inline(never)
package func repeatFloat32(_ steps: Int) -> Float {
  let factor = FloatVector(repeating: 0.5)
  let addend = FloatVector(repeating: Float(steps))
  var tile = Tile(repeating: (addend, factor))
  var remaining = steps
  while remaining > 0 {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      sum.0 = apus_fma(addend, sum.0, factor)
      sum.1 = apus_fma(addend, sum.1, factor)
    }
    remaining &-= 1
  }
  var total = FloatVector(repeating: 0)
  tile.forEachRow(CeilingHeight.self) { _, sum in total += sum.0 + sum.1 }
  return apus_sum_f32(total)
}

/// The same with products of bfloat16 pairs.
@inline(never)
package func repeatBFloat16(_ steps: Int) -> Float {
  // Pairs of ½ and 1, and their neighbours.
  repeatProducts(BFloat16Product.self, steps, from: 0x3f80_3f00, changing: 0x0001_0001) { apus_sum_f32($0) }
}

/// The same with products of four bytes.
@inline(never)
package func repeatInteger8(_ steps: Int) -> Int32 {
  repeatProducts(Unsigned8Product.self, steps, from: 0x0102_0304, changing: 0x0101_0101) { $0.wrappedSum() }
}

/// - Parameters:
///   - pattern: the groups of one operand.
///   - change: the bits of it that are turned over after each step.
@inline(__always)
private func repeatProducts<P: InnerProduct, Result>(
  _: P.Type, _ steps: Int, from pattern: Int32, changing change: Int32, _ result: (P.Accumulator) -> Result
) -> Result where P.Operand == Int32Vector {
  let zero = unsafeBitCast(Int32Vector(repeating: 0), to: P.Accumulator.self)
  var tile = Tile(repeating: (zero, zero))
  var a = Int32Vector(repeating: pattern)
  let b = Int32Vector(repeating: pattern ^ (Int32(truncatingIfNeeded: steps) & 0x0f))
  let change = Int32Vector(repeating: change)
  var remaining = steps
  while remaining > 0 {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      sum.0 = P.accumulate(sum.0, a, b)
      sum.1 = P.accumulate(sum.1, a, b)
    }
    a = a ^ change
    remaining &-= 1
  }
  var total = zero
  tile.forEachRow(CeilingHeight.self) { _, sum in
    // Any function of all sums keeps the compiler from leaving one out.
    total = P.accumulate(total, unsafeBitCast(sum.0, to: Int32Vector.self), b)
    total = P.accumulate(total, unsafeBitCast(sum.1, to: Int32Vector.self), b)
  }
  return result(total)
}

/// Reads `count` bytes, a multiple of 16 vectors, and returns something that depends on all of them.
@inline(never)
package func readBytes(_ address: UnsafeRawPointer, _ count: Int) -> Int32 {
  var (s0, s1) = (Int32Vector(repeating: 0), Int32Vector(repeating: 0))
  var (s2, s3) = (s0, s0)
  let step = 4 &* vectorBytes
  var offset = 0
  while offset &+ step <= count {
    let block = address + offset
    let v0: Int32Vector = block.vector(0)
    let v1: Int32Vector = block.vector(vectorBytes)
    let v2: Int32Vector = block.vector(2 &* vectorBytes)
    let v3: Int32Vector = block.vector(3 &* vectorBytes)
    s0 = s0 | v0
    s1 = s1 | v1
    s2 = s2 | v2
    s3 = s3 | v3
    offset &+= step
  }
  let total = (s0 | s1) | (s2 | s3)
  return total.wrappedSum()
}
