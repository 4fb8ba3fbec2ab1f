import CIntrinsics

/// The right operand of a product, packed as `PackedMatrix` lays it out.
final class Panels {
  let columns: Int
  let groups: Int
  let stride: Int
  let block: Block

  /// - Parameters:
  ///   - elements: in a group of 4 bytes.
  ///   - tableBytes: what the epilogue reads for one vector of columns.
  init(columns: Int, depth: Int, elements: Int, tableBytes: Int = 0) {
    self.columns = columns
    groups = (depth + elements - 1) / elements
    stride = (4 * (1 + groups) * 2 * lanes + 2 * tableBytes + 63) / 64 * 64
    block = Block(byteCount: stride * ((columns + 2 * lanes - 1) / (2 * lanes)))
    block.fill(0)
  }

  /// Calls `body` with each panel's header, first column and width.
  func forEach(_ body: (_ header: UnsafeMutableRawPointer, _ column: Int, _ width: Int) -> Void) {
    var header = block.base
    var column = 0
    while column < columns {
      body(header, column, columns - column > lanes ? 2 * lanes : lanes)
      header += stride
      column += 2 * lanes
    }
  }

  /// Packs columns of `depth` stored elements that lie one after another.
  /// - Parameter sums: where the sums of the columns go; of whole panels.
  func pack(
    _ kernel: ApusPackKernel, _ stored: Block, _ type: ApusStoredType, depth: Int, scale: Float = 1,
    sums: UnsafeMutablePointer<Int32>? = nil
  ) {
    let scratch = Block(byteCount: (2 * lanes + 4) * vectorBytes)
    forEach { header, column, width in
      withPacking(stored, type, depth: depth, scale: scale, column, width) { packing in
        packing.target = header + 4 * width
        packing.scratch = scratch.base
        packing.sums = sums.map { $0 + column }
        kernel(&packing)
      }
    }
  }

  func withPacking(
    _ stored: Block, _ type: ApusStoredType, depth: Int, scale: Float, _ first: Int, _ width: Int,
    _ body: (inout ApusPanelPacking) -> Void
  ) {
    let scratch = Block(byteCount: (2 * lanes + 4) * vectorBytes)
    withUnsafeTemporaryAllocation(of: ApusStoredColumn.self, capacity: width) { list in
      guard let list = list.baseAddress else { return }
      for index in 0..<width {
        let exists = first + index < columns
        let place = (first + index) * depth * storedBytes(type)
        (list + index).initialize(
          to: ApusStoredColumn(
            address: exists ? stored.address + place : nil, step: storedBytes(type), scale: scale, type: type)
        )
      }
      var packing = ApusPanelPacking(
        columns: list, width: width, depth: depth, target: scratch.base, targetStride: 4 * width, sums: nil,
        scratch: scratch.base)
      body(&packing)
    }
  }
}

/// Rows, columns and depths of products: every height and width of a tile and what is left of each, and more rows
/// than are multiplied in one block.
func forEachProduct(elements: Int, _ body: (_ rows: Int, _ columns: Int, _ depth: Int) -> Void) {
  for depth in [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 35] {
    for columns in [1, 3, 4, 5, 7, 8, 9, 12, 13, 17] {
      for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 19] { body(rows, columns, depth) }
    }
  }
  body(700, 9, 256 * elements)
}
