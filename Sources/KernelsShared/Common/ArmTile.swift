import CIntrinsics

#if arch(arm64)
  extension Tile {
    /// Adds the products of `H.rows` rows and `W.vectors` vectors of columns over the whole depth.
    /// - Parameters:
    ///   - columns: for each step of depth one group of 4 bytes a column.
    ///   - ahead: what is wanted in the second-level cache next: a cache line for every step of depth.
    @inline(__always)
    mutating func multiply<P: ArmProduct, H: TileHeight, W: TileWidth>(
      _: P.Type, _: H.Type, _: W.Type, depth: Int, a: UnsafeRawPointer, aStride: Int,
      columns: UnsafeRawPointer,
      ahead: UnsafeRawPointer
    ) where P.Accumulator == Accumulator {
      if P.multipliesBlocks { exchangeHalves(H.self) }
      let step = W.vectors &* vectorBytes
      var (a, columns, ahead) = (a, columns, ahead)
      var remaining = depth
      while remaining >= 4 {
        let loaded = FourSteps(W.self, columns, count: 4)
        if P.multipliesBlocks {
          multiplyBlocks(P.self, H.self, W.self, loaded) { (a + $0 &* aStride).vector() }
        } else {
          multiplyLanes(P.self, H.self, W.self, loaded, count: 4) { (a + $0 &* aStride).vector() }
        }
        for line in 0..<4 { apus_prefetch(ahead + line &* 64) }
        ahead += 4 &* 64
        columns += 4 &* step
        a += 16
        remaining &-= 4
      }
      if remaining > 0 {
        let loaded = FourSteps(W.self, columns, count: remaining)
        let count = remaining
        if P.multipliesBlocks {
          multiplyBlocks(P.self, H.self, W.self, loaded) { firstGroups(a + $0 &* aStride, count) }
        } else {
          multiplyLanes(P.self, H.self, W.self, loaded, count: count) {
            firstGroups(a + $0 &* aStride, count)
          }
        }
      }
      if P.multipliesBlocks { exchangeHalves(H.self) }
    }

    /// Each row's lanes in turn with the columns of their steps.
    @inline(__always)
    private mutating func multiplyLanes<P: ArmProduct, H: TileHeight, W: TileWidth>(
      _: P.Type, _: H.Type, _: W.Type, _ b: FourSteps, count: Int, _ row: (Int) -> Int32Vector
    ) where P.Accumulator == Accumulator {
      forEachRow(H.self) { index, sum in
        let a = P.row(row(index))
        @inline(__always) func add(_ step: Int32, _ columns: (Int32Vector, Int32Vector)) {
          let value = neon_spread(a, step)
          sum.0 = P.multiply(sum.0, value, columns.0)
          if W.vectors == 2 { sum.1 = P.multiply(sum.1, value, columns.1) }
        }
        add(0, b.step0)
        if count > 1 { add(1, b.step1) }
        if count > 2 { add(2, b.step2) }
        if count > 3 { add(3, b.step3) }
      }
    }

    /// Two rows at a time with two columns at a time.
    @inline(__always)
    private mutating func multiplyBlocks<P: ArmProduct, H: TileHeight, W: TileWidth>(
      _: P.Type, _: H.Type, _: W.Type, _ b: FourSteps, _ row: (Int) -> Int32Vector
    ) where P.Accumulator == Accumulator {
      let first = (neon_zip_lower(b.step0.0, b.step1.0), neon_zip_upper(b.step0.0, b.step1.0))
      let second = (neon_zip_lower(b.step2.0, b.step3.0), neon_zip_upper(b.step2.0, b.step3.0))
      let first1 = (neon_zip_lower(b.step0.1, b.step1.1), neon_zip_upper(b.step0.1, b.step1.1))
      let second1 = (neon_zip_lower(b.step2.1, b.step3.1), neon_zip_upper(b.step2.1, b.step3.1))
      forEachPair(H.self) { index, upper, lower in
        let (x, y) = (P.row(row(index)), P.row(row(min(index &+ 1, H.rows &- 1))))
        let (a0, a1) = (neon_lower(x, y), neon_upper(x, y))
        upper.0 = P.multiplyBlock(P.multiplyBlock(upper.0, a0, first.0), a1, second.0)
        lower.0 = P.multiplyBlock(P.multiplyBlock(lower.0, a0, first.1), a1, second.1)
        if W.vectors == 2 {
          upper.1 = P.multiplyBlock(P.multiplyBlock(upper.1, a0, first1.0), a1, second1.0)
          lower.1 = P.multiplyBlock(P.multiplyBlock(lower.1, a0, first1.1), a1, second1.1)
        }
      }
    }

    /// From two rows to two blocks, the first of which has what both rows have of the first two columns; and back.
    @inline(__always)
    private mutating func exchangeHalves<H: TileHeight>(_: H.Type) {
      forEachPair(H.self) { _, upper, lower in
        (upper.0, lower.0) = exchanged(upper.0, lower.0)
        (upper.1, lower.1) = exchanged(upper.1, lower.1)
      }
    }

    /// Calls `body` for rows two by two; the second row of the last pair may be one that is not used.
    @inline(__always)
    private mutating func forEachPair<H: TileHeight>(
      _: H.Type, _ body: (Int, inout (Accumulator, Accumulator), inout (Accumulator, Accumulator)) -> Void
    ) {
      body(0, &row0, &row1)
      if H.rows > 2 { body(2, &row2, &row3) }
      if H.rows > 4 { body(4, &row4, &row5) }
      if H.rows > 6 { body(6, &row6, &row7) }
    }
  }

  /// The groups of two vectors of columns in four steps of depth; zeros for steps that there are not.
  struct FourSteps {
    let step0: (Int32Vector, Int32Vector)
    let step1: (Int32Vector, Int32Vector)
    let step2: (Int32Vector, Int32Vector)
    let step3: (Int32Vector, Int32Vector)

    @inline(__always)
    init<W: TileWidth>(_: W.Type, _ columns: UnsafeRawPointer, count: Int) {
      @inline(__always) func load(_ step: Int) -> (Int32Vector, Int32Vector) {
        guard step < count else { return (Int32Vector(repeating: 0), Int32Vector(repeating: 0)) }
        let place = step &* W.vectors &* vectorBytes
        let first: Int32Vector = columns.vector(place)
        return (first, W.vectors == 2 ? columns.vector(place &+ vectorBytes) : first)
      }
      (step0, step1, step2, step3) = (load(0), load(1), load(2), load(3))
    }
  }

  /// The lower halves of both, and the upper ones.
  @inline(__always)
  private func exchanged<Vector>(_ a: Vector, _ b: Vector) -> (Vector, Vector) {
    let (x, y) = (unsafeBitCast(a, to: Int32Vector.self), unsafeBitCast(b, to: Int32Vector.self))
    return (
      unsafeBitCast(neon_lower(x, y), to: Vector.self), unsafeBitCast(neon_upper(x, y), to: Vector.self)
    )
  }

  /// The first `count` groups of 4 bytes of a row, fewer than four, and zeros.
  @inline(__always)
  private func firstGroups(_ row: UnsafeRawPointer, _ count: Int) -> Int32Vector {
    var groups = Int32Vector(repeating: 0)
    groups[0] = row.loadUnaligned(as: Int32.self)
    if count > 1 { groups[1] = row.loadUnaligned(fromByteOffset: 4, as: Int32.self) }
    if count > 2 { groups[2] = row.loadUnaligned(fromByteOffset: 8, as: Int32.self) }
    return groups
  }
#endif
