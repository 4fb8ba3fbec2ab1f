import Kernels

/// Reads the elements of packed weights by the layout that `PackedMatrix` describes.
struct UnpackedMatrix {
  private let matrix: PackedMatrix
  private let format: WeightFormat
  private let lanes: Int
  private let hasPairsOfBytes: Bool

  init(_ matrix: PackedMatrix, _ format: WeightFormat, _ kernels: KernelSet) {
    self.matrix = matrix
    self.format = format
    lanes = kernels.lanes(format)
    hasPairsOfBytes = kernels.integer.widensRows
  }

  /// Element `k` of a column, as a number of the format.
  func element(_ k: Int, _ column: Int) -> Float {
    let panel = column / (2 * lanes)
    let width = matrix.columns - panel * 2 * lanes > lanes ? 2 * lanes : lanes
    return element(k, panel, width, column % (2 * lanes))
  }

  private func element(_ k: Int, _ panel: Int, _ width: Int, _ lane: Int) -> Float {
    let perGroup = format == .float32 ? 1 : format == .int8 ? 4 : 2
    let weights = matrix.panels + panel * matrix.panelStride + 4 * width
    if format == .int8, hasPairsOfBytes {
      return Float(weights.load(fromByteOffset: (k / 2 * width + lane) * 2 + k % 2, as: Int8.self))
    }
    let place = weights + (k / perGroup * width + lane) * 4
    switch format {
    case .float32: return place.load(as: Float.self)
    case .bfloat16:
      return Float(bitPattern: UInt32(place.load(fromByteOffset: 2 * (k % 2), as: UInt16.self)) << 16)
    case .int8: return Float(place.load(fromByteOffset: k % 4, as: Int8.self))
    case .int16: return Float(place.load(fromByteOffset: 2 * (k % 2), as: Int16.self))
    }
  }

  /// Whether the elements after the last of a column, and columns after the last, are 0.
  func paddingIsZero(depth: Int, columns: Int) -> Bool {
    let perGroup = format == .float32 ? 1 : format == .int8 ? 4 : 2
    let padded = (depth + perGroup - 1) / perGroup * perGroup
    for panel in 0..<((columns + 2 * lanes - 1) / (2 * lanes)) {
      let first = panel * 2 * lanes
      let width = columns - first > lanes ? 2 * lanes : lanes
      for lane in 0..<width {
        for k in 0..<padded where k >= depth || first + lane >= columns {
          if element(k, panel, width, lane) != 0 { return false }
        }
      }
    }
    return true
  }
}
