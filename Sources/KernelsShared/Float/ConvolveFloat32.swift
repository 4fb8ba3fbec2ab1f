import CIntrinsics

// A convolution without patches: a tile is some neighbouring pixels of one row of the result, and for every tap of the
// window the pixels' channels are multiplied where they lie in the image. What lies beside the image is left out, where
// gathered patches have zeros: of a window of 3×3 over 7×7 pixels that is nearly a fifth. The order of the sums is that of
// a patch, so that they are the same.

#if ISA_AVX512
  let prefersConvolve = true
#else
  let prefersConvolve = false
#endif

/// All columns of the arguments, for the rows that they name.
@inline(never)
func convolveFloat32(_ arguments: UnsafePointer<ApusConvolution>) {
  let c = arguments.pointee
  var column = 0
  var panel = c.panels
  while column < c.columns {
    if c.columns &- column > lanes {
      convolvePanel(Width2.self, c, panel, column)
    } else {
      convolvePanel(Width1.self, c, panel, column)
    }
    column &+= 2 &* lanes
    panel += c.panelStride
  }
}

@inline(never)
private func convolvePanel<W: TileWidth>(
  _: W.Type, _ c: ApusConvolution, _ panel: UnsafeRawPointer, _ column: Int
) {
  var place = ConvolutionPlace(c, panel, column)
  while place.y < c.endRow {
    place.moveToRow()
    while place.x < c.outputWidth {
      switch nextHeight(c.outputWidth &- place.x) {
      #if ISA_AVX512
        case 8: convolveTile(Height8.self, W.self, c, &place)
        case 7: convolveTile(Height7.self, W.self, c, &place)
      #else
        case 6: convolveTile(Height6.self, W.self, c, &place)
      #endif
      case 4: convolveTile(Height4.self, W.self, c, &place)
      case 2: convolveTile(Height2.self, W.self, c, &place)
      default: convolveTile(Height1.self, W.self, c, &place)
      }
    }
    place.y &+= 1
  }
}

/// The height of the next tile where so many pixels of a row are left.
@inline(__always)
private func nextHeight(_ left: Int) -> Int {
  #if ISA_AVX512
    // As many sevens as leave a multiple of eight, so that no tile is narrower; else at least an even number, because a
    // single pixel takes as long as two.
    let sevens = (8 &- left & 7) & 7
    if left >= 7, sevens > 0 && left >= 7 &* sevens || left & 1 == 1 { return 7 }
    if left >= 8 { return 8 }
  #else
    if left >= 6 { return 6 }
  #endif
  return left >= 4 ? 4 : left >= 2 ? 2 : 1
}

/// Where a tile lies in the result, and the rows of the window that lie on the image there.
private struct ConvolutionPlace {
  let c: ApusConvolution
  let panel: UnsafeRawPointer
  let column: Int
  var x = 0
  var y: Int
  var firstTap = 0
  var endTap = 0

  @inline(__always)
  init(_ c: ApusConvolution, _ panel: UnsafeRawPointer, _ column: Int) {
    (self.c, self.panel, self.column) = (c, panel, column)
    y = c.firstRow
  }

  @inline(__always)
  var top: Int { y &* c.strideY &- c.padTop }

  @inline(__always)
  mutating func moveToRow() {
    x = 0
    firstTap = top < 0 ? (c.dilationY &- 1 &- top) / c.dilationY : 0
    let below = c.inputHeight &- top
    endTap = below > 0 ? min(c.kernelHeight, (below &+ c.dilationY &- 1) / c.dilationY) : 0
  }

  /// What finishes the tile at this place.
  @inline(__always)
  var epilogue: FloatEpilogue {
    let offset = (y &* c.outputWidth &+ x) &* c.cStride &+ column &* 4
    return FloatEpilogue(
      result: c.c + offset, resultStride: c.cStride,
      residual: c.residual.map { UnsafeRawPointer($0) + offset },
      residualStride: c.cStride, low: FloatVector(repeating: c.low), high: FloatVector(repeating: c.high),
      columnCount: c.columns &- column)
  }
}

/// The next `H.rows` pixels of the row.
@inline(__always)
private func convolveTile<H: TileHeight, W: TileWidth>(
  _: H.Type, _: W.Type, _ c: ApusConvolution, _ place: inout ConvolutionPlace
) {
  let zero = FloatVector(repeating: 0)
  var tile = Tile(repeating: (zero, zero))
  let step = W.vectors &* vectorBytes
  let pixelBytes = c.channels &* 4
  let rowStride = c.strideX &* pixelBytes
  let left = place.x &* c.strideX &- c.padLeft
  let reach = (H.rows &- 1) &* c.strideX
  let isInside = left >= 0 && left &+ reach &+ (c.kernelWidth &- 1) &* c.dilationX < c.inputWidth
  var columns = place.panel + (step &+ place.firstTap &* c.kernelWidth &* c.channels &* step)
  var tapY = place.firstTap
  while tapY < place.endTap {
    let line = c.input + (place.top &+ tapY &* c.dilationY) &* c.inputWidth &* pixelBytes
    if isInside, c.dilationX == 1 {
      let depth = c.kernelWidth &* c.channels
      tile.accumulate(H.self, W.self, allBut: 0, 0, depth, line + left &* pixelBytes, rowStride, columns)
      columns += depth &* step
    } else {
      var tapX = 0
      while tapX < c.kernelWidth {
        let first = left &+ tapX &* c.dilationX
        let before = first < 0 ? (c.strideX &- 1 &- first) / c.strideX : 0
        let over = first &+ reach &- c.inputWidth
        let after = over >= 0 ? over / c.strideX &+ 1 : 0
        tile.accumulate(
          H.self, W.self, allBut: before, after, c.channels, line + first &* pixelBytes, rowStride, columns)
        columns += c.channels &* step
        tapX &+= 1
      }
    }
    tapY &+= 1
  }
  tile.finish(H.self, W.self, place.epilogue, header: place.panel, table: place.panel)
  if c.activation != APUS_IDENTITY {
    activateTile(
      c.activation, place.epilogue.result, stride: c.cStride, rows: H.rows,
      columns: min(W.vectors &* lanes, c.columns &- place.column))
  }
  place.x &+= H.rows
}

extension Tile where Accumulator == FloatVector {
  /// Adds the products of one tap, or of several that lie side by side, for all rows but some first or last ones, where it
  /// lies beside the image. The usual numbers of them are constants in loops of their own.
  /// - Parameters:
  ///   - a: the first row's numbers, whether that row is used or not.
  @inline(__always)
  fileprivate mutating func accumulate<H: TileHeight, W: TileWidth>(
    _: H.Type, _: W.Type, allBut before: Int, _ after: Int, _ depth: Int, _ a: UnsafeRawPointer,
    _ aStride: Int, _ columns: UnsafeRawPointer
  ) {
    @inline(__always)
    func add(_ before: Int, _ after: Int, to tile: inout Self) {
      tile.addProducts(H.self, W.self, allBut: before, after, depth, a, aStride, columns)
    }
    switch (before, after) {
    case (0, 0): add(0, 0, to: &self)
    case (1, 0) where H.rows > 1: add(1, 0, to: &self)
    case (0, 1) where H.rows > 1: add(0, 1, to: &self)
    case (2, 0) where H.rows > 4: add(2, 0, to: &self)
    case (0, 2) where H.rows > 4: add(0, 2, to: &self)
    case (3, 0) where H.rows > 4: add(3, 0, to: &self)
    case (0, 3) where H.rows > 4: add(0, 3, to: &self)
    default: if before &+ after < H.rows { add(before, after, to: &self) }
    }
  }

  @inline(__always)
  private mutating func addProducts<H: TileHeight, W: TileWidth>(
    _: H.Type, _: W.Type, allBut before: Int, _ after: Int, _ depth: Int, _ a: UnsafeRawPointer,
    _ aStride: Int, _ columns: UnsafeRawPointer
  ) {
    var (a, columns, remaining) = (a, columns, depth)
    while remaining > 0 {
      let b0 = Float32Product.columns(columns)
      let b1 = W.vectors == 2 ? Float32Product.columns(columns + vectorBytes) : b0
      forEachRow(H.self) { row, sum in
        guard row >= before, row < H.rows &- after else { return }
        let value = Float32Product.broadcast(a + row &* aStride)
        sum.0 = Float32Product.accumulate(sum.0, value, b0)
        if W.vectors == 2 { sum.1 = Float32Product.accumulate(sum.1, value, b1) }
      }
      columns += W.vectors &* vectorBytes
      a += 4
      remaining &-= 1
    }
  }
}
