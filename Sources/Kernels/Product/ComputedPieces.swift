/// The pieces of work that stacks of products are shared in: some rows and some panels of one product.
struct ComputedPieces: Sendable {
  let matrices: Int
  private let rows: Int
  private let panels: Int
  private let rowsOfPiece: Int
  private let panelsOfPiece: Int

  /// - Parameters:
  ///   - panelsOfPiece: how many a thread has room for.
  ///   - tileRows: of the kernel: pieces have whole tiles.
  init(matrices: Int, rows: Int, panels: Int, panelsOfPiece: Int, tileRows: Int, threads: Int) {
    self.matrices = matrices
    self.rows = rows
    self.panels = panels
    self.panelsOfPiece = panelsOfPiece
    // Each piece of rows packs the panels anew, so that there are no more than threads need.
    let others = max(1, matrices * Self.parts(of: panels, panelsOfPiece))
    let tiles = Self.parts(of: rows, tileRows)
    let wanted = threads > 1 ? Self.parts(of: 2 * threads, others) : 1
    rowsOfPiece = max(1, Self.parts(of: tiles, max(1, min(wanted, tiles / Self.fewestTiles))) * tileRows)
  }

  /// Tiles of rows for which packing is a small part of the work.
  private static let fewestTiles = 4

  private static func parts(of count: Int, _ size: Int) -> Int { (count + size - 1) / size }

  private var rowParts: Int { Self.parts(of: rows, rowsOfPiece) }
  private var panelParts: Int { Self.parts(of: panels, panelsOfPiece) }

  var count: Int { matrices * rowParts * panelParts }

  subscript(piece: Int) -> (matrix: Int, rows: Range<Int>, panels: Range<Int>) {
    let (rest, panelPart) = piece.quotientAndRemainder(dividingBy: panelParts)
    let (matrix, rowPart) = rest.quotientAndRemainder(dividingBy: rowParts)
    let (row, panel) = (rowPart * rowsOfPiece, panelPart * panelsOfPiece)
    return (matrix, row..<min(rows, row + rowsOfPiece), panel..<min(panels, panel + panelsOfPiece))
  }
}
