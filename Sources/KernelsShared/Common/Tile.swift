/// The accumulators of a block of the result: up to twelve rows, two vectors of columns each.
///
/// Named fields, because arrays stay in memory: as fields of a struct whose every use is inlined they become
/// registers.
struct Tile<Accumulator> {
  var row0: (Accumulator, Accumulator)
  var row1: (Accumulator, Accumulator)
  var row2: (Accumulator, Accumulator)
  var row3: (Accumulator, Accumulator)
  var row4: (Accumulator, Accumulator)
  var row5: (Accumulator, Accumulator)
  var row6: (Accumulator, Accumulator)
  var row7: (Accumulator, Accumulator)
  var row8: (Accumulator, Accumulator)
  var row9: (Accumulator, Accumulator)
  var row10: (Accumulator, Accumulator)
  var row11: (Accumulator, Accumulator)

  @inline(__always)
  init(repeating row: (Accumulator, Accumulator)) {
    row0 = row
    row1 = row
    row2 = row
    row3 = row
    row4 = row
    row5 = row
    row6 = row
    row7 = row
    row8 = row
    row9 = row
    row10 = row
    row11 = row
  }

  /// Calls `body` for the first `H.rows` rows; the rest cost nothing.
  @inline(__always)
  mutating func forEachRow<H: TileHeight>(
    _: H.Type, _ body: (Int, inout (Accumulator, Accumulator)) -> Void
  ) {
    body(0, &row0)
    if H.rows > 1 { body(1, &row1) }
    if H.rows > 2 { body(2, &row2) }
    if H.rows > 3 { body(3, &row3) }
    if H.rows > 4 { body(4, &row4) }
    if H.rows > 5 { body(5, &row5) }
    if H.rows > 6 { body(6, &row6) }
    if H.rows > 7 { body(7, &row7) }
    if H.rows > 8 { body(8, &row8) }
    if H.rows > 9 { body(9, &row9) }
    if H.rows > 10 { body(10, &row10) }
    if H.rows > 11 { body(11, &row11) }
  }
}

/// How many rows of a tile are used, known when the kernel is compiled.
protocol TileHeight {
  static var rows: Int { get }
}

enum Height1: TileHeight { @inline(__always) static var rows: Int { 1 } }
enum Height2: TileHeight { @inline(__always) static var rows: Int { 2 } }
enum Height4: TileHeight { @inline(__always) static var rows: Int { 4 } }
enum Height6: TileHeight { @inline(__always) static var rows: Int { 6 } }
enum Height7: TileHeight { @inline(__always) static var rows: Int { 7 } }
enum Height8: TileHeight { @inline(__always) static var rows: Int { 8 } }
enum Height12: TileHeight { @inline(__always) static var rows: Int { 12 } }

/// How many vectors of columns of a tile are used, known when the kernel is compiled.
protocol TileWidth {
  static var vectors: Int { get }
}

enum Width1: TileWidth { @inline(__always) static var vectors: Int { 1 } }
enum Width2: TileWidth { @inline(__always) static var vectors: Int { 2 } }
