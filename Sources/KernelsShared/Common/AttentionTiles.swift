import CIntrinsics

/// Something done with tiles of rows of any height.
protocol TileVisitor {
  func visit<H: TileHeight>(_: H.Type, row: Int)
}

/// Covers rows 0 ..< `rows` by tiles, few of them so low that the latency of their sums shows.
@inline(never)
func forEachTile<V: TileVisitor>(rows: Int, _ visitor: V) {
  var row = 0
  while row < rows {
    let height = tileHeight(rows &- row)
    switch height {
    #if ISA_AVX512
      case 12: visitor.visit(Height12.self, row: row)
      case 8: visitor.visit(Height8.self, row: row)
    #endif
    case 6: visitor.visit(Height6.self, row: row)
    case 4: visitor.visit(Height4.self, row: row)
    case 2: visitor.visit(Height2.self, row: row)
    default: visitor.visit(Height1.self, row: row)
    }
    row &+= height
  }
}

/// The height of the next tile when so many rows are left: 14 are 8 and 6 rather than 12 and 2.
@inline(__always)
private func tileHeight(_ rows: Int) -> Int {
  #if ISA_AVX512
    if rows >= 18 || rows == 12 { return 12 }
    if rows >= 8 { return 8 }
    if rows >= 6 { return 6 }
  #else
    if rows >= 10 || rows == 6 { return 6 }
  #endif
  return rows >= 4 ? 4 : rows >= 2 ? 2 : 1
}

extension Tile where Accumulator == FloatVector {
  /// Zeros.
  @inline(__always)
  init() { self.init(repeating: (FloatVector(repeating: 0), FloatVector(repeating: 0))) }

  /// Adds `steps` products of 4 bytes of each row of A and vectors of columns of B.
  /// - Parameters:
  ///   - aStep: bytes between a row's operands of successive steps; `aStride`: between rows.
  ///   - bStep: bytes between the columns' operands of successive steps.
  @inline(__always)
  mutating func accumulate<P: InnerProduct, H: TileHeight, W: TileWidth>(
    _: P.Type, _: H.Type, _: W.Type, steps: Int, a: UnsafeRawPointer, aStep: Int, aStride: Int,
    b: UnsafeRawPointer, bStep: Int
  ) where P.Accumulator == FloatVector {
    var a = a
    var b = b
    var remaining = steps
    while remaining > 0 {
      let b0 = P.columns(b)
      let b1 = W.vectors == 2 ? P.columns(b + vectorBytes) : b0
      forEachRow(H.self) { row, sum in
        let value = P.broadcast(a + row &* aStride)
        sum.0 = P.accumulate(sum.0, value, b0)
        if W.vectors == 2 { sum.1 = P.accumulate(sum.1, value, b1) }
      }
      a += aStep
      b += bStep
      remaining &-= 1
    }
  }
}
