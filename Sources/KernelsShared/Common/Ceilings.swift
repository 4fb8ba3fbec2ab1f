import CIntrinsics

// What one core can do at most, measured by loops that do nothing else.

#if ISA_AVX512
  private typealias CeilingHeight = Height12
#elseif arch(arm64)
  private typealias CeilingHeight = Height8
#else
  private typealias CeilingHeight = Height6
#endif

/// Operations of one step of the loops below, for products of so many elements at once: two for each.
func operationsPerStep<P: PanelProduct>(_: P.Type, _ elements: Int) -> Int {
  #if arch(arm64)
    let elements = P.multipliesBlocks ? 2 * elements : elements
  #endif
  return 2 * 2 * CeilingHeight.rows * lanes * elements
}

/// `steps` steps of as many independent accumulations as a register tile has; returns something that depends on
/// all of them.
///
/// As in a matrix product a row's operand meets two vectors of columns, and no two products are of the same operands:
/// else the compiler multiplies once for both where products are made of several instructions. So each row's operand is
/// one of its own sums. `Tools/checks/ceilings` counts the multiplications in the machine code.
/// - Parameter factors: one for each vector of columns; they have to differ.
@inline(__always)
func repeatProducts<P: InnerProduct>(
  _: P.Type, _ steps: Int, from start: P.Accumulator, by factors: (P.Operand, P.Operand),
  _ operand: (P.Accumulator) -> P.Operand
) -> P.Accumulator {
  var tile = Tile(repeating: (start, start))
  var remaining = steps
  while remaining > 0 {
    tile.forEachRow(CeilingHeight.self) { _, sum in
      let own = operand(sum.0)
      sum.1 = P.accumulate(sum.1, own, factors.1)
      sum.0 = P.accumulate(sum.0, own, factors.0)
    }
    remaining &-= 1
  }
  var total = start
  tile.forEachRow(CeilingHeight.self) { _, sum in
    // Any function of all sums keeps the compiler from leaving one out.
    total = P.accumulate(total, operand(sum.0), factors.0)
    total = P.accumulate(total, operand(sum.1), factors.1)
  }
  return total
}
