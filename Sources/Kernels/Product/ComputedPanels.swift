import CIntrinsics
import TensorCore

/// Panels of a matrix that are packed while it is multiplied, some at a time.
struct ComputedPanels: Sendable {
  let columns: Int
  let depth: Int
  /// Elements of a column that are packed at once.
  let block: Int
  /// Columns of a panel.
  let width: Int
  /// Panels of the whole matrix, and those that are packed together.
  let count: Int
  let countOfPiece: Int
  /// Bytes from one panel to the next.
  let stride: Int
  /// Bytes of working memory.
  let byteCount: Int
  private let steps: ComputedProduct.Steps
  private let spreader: ColumnSpreader

  /// Bytes of panels that stay in the second-level cache beside the rows that meet them.
  private static let residentBytes = 256 << 10

  /// - Parameter block: a multiple of the elements in a group, or the depth.
  init(columns: Int, depth: Int, block: Int, steps: ComputedProduct.Steps, _ spreader: ColumnSpreader) {
    self.columns = columns
    self.depth = depth
    self.block = block
    self.steps = steps
    self.spreader = spreader
    width = spreader.width
    count = (columns + width - 1) / width
    stride = TensorStorage.padded(4 * (1 + Self.groups(block, spreader)) * width)
    countOfPiece = max(1, min(count, Self.residentBytes / stride))
    byteCount = spreader.byteCount + countOfPiece * stride
  }

  private static func groups(_ elements: Int, _ spreader: ColumnSpreader) -> Int {
    (elements + spreader.elementsPerGroup - 1) / spreader.elementsPerGroup
  }

  /// Groups of 4 bytes that so many elements fill.
  func groups(_ elements: Int) -> Int { Self.groups(elements, spreader) }

  /// Where the panels lie in a block of working memory.
  func address(in memory: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer { memory + spreader.byteCount }

  /// Packs some panels of float32 side by side.
  /// - Parameters:
  ///   - elements: those of every column.
  ///   - bias: one number for each column of the matrix; zeros where nil.
  func pack(
    _ panels: Range<Int>, _ matrix: UnsafePointer<Float>, _ elements: Range<Int>,
    bias: UnsafePointer<Float>?, to memory: UnsafeMutableRawPointer
  ) {
    for index in panels {
      let panel = panel(index, first: panels.lowerBound, in: memory)
      panel.header.initializeMemory(as: Float.self, repeating: 0, count: panel.width)
      if let bias { panel.header.copyMemory(from: bias + panel.column, byteCount: 4 * panel.columns) }
      spread(panel, UnsafeRawPointer(matrix + offset(panel, elements)), elements.count, nil, memory)
    }
  }

  /// The same of signed bytes.
  /// - Parameter rowsAreSigned: whether the kernel takes the bytes of rows for 128 more than they are.
  func pack(
    _ panels: Range<Int>, _ matrix: UnsafePointer<Int8>, _ elements: Range<Int>, rowsAreSigned: Bool,
    to memory: UnsafeMutableRawPointer
  ) {
    for index in panels {
      let panel = panel(index, first: panels.lowerBound, in: memory)
      let starts = panel.header.assumingMemoryBound(to: Int32.self)
      spread(panel, UnsafeRawPointer(matrix + offset(panel, elements)), elements.count, starts, memory)
      for lane in 0..<panel.width { starts[lane] = rowsAreSigned ? starts[lane] &* -128 : 0 }
    }
  }

  /// One panel while it is packed.
  private struct Panel {
    let header: UnsafeMutableRawPointer
    /// Its first column, how many it has, and how many it has room for.
    let column: Int
    let columns: Int
    let width: Int
  }

  private func panel(_ index: Int, first: Int, in memory: UnsafeMutableRawPointer) -> Panel {
    let column = index * width
    let room = columns - column > spreader.lanes ? width : spreader.lanes
    return Panel(
      header: address(in: memory) + (index - first) * stride, column: column,
      columns: min(room, columns - column), width: room)
  }

  private func offset(_ panel: Panel, _ elements: Range<Int>) -> Int {
    panel.column * steps.line + elements.lowerBound * steps.depth
  }

  private func spread(
    _ panel: Panel, _ source: UnsafeRawPointer, _ depth: Int, _ sums: UnsafeMutablePointer<Int32>?,
    _ memory: UnsafeMutableRawPointer
  ) {
    spreader.spread(
      source, columns: panel.columns, width: panel.width, steps: steps, depth: depth,
      to: panel.header + 4 * panel.width, stride: 4 * panel.width, sums: sums, in: memory)
  }
}
