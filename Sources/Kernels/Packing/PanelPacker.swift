import CIntrinsics

/// Fills panels of a linear layer one at a time: header, weights, and the epilogue's table.
struct PanelPacker {
  private let matrix: PackedMatrix
  private let format: WeightFormat
  private let kernels: KernelSet

  init(_ matrix: PackedMatrix, _ format: WeightFormat, _ kernels: KernelSet) {
    self.matrix = matrix
    self.format = format
    self.kernels = kernels
  }

  func pack(_ index: Int, _ columns: [ApusStoredColumn], _ bias: [Float]?) {
    let panel = matrix.panel(index)
    let none = ApusStoredColumn(address: nil, step: 0, scale: 1, type: ApusStoredFloat32)
    var stored = Array(columns[panel.columns])
    stored += Array(repeating: none, count: panel.width - stored.count)
    let scratchBytes = 4 * matrix.lanes * (2 * matrix.lanes + 4)
    withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 64) { scratch in
      guard let scratch = scratch.baseAddress else { return }
      switch format {
      case .float32: run(kernels.float.pack, stored, panel, scratch)
      case .bfloat16: run(kernels.bfloat16.pack, stored, panel, scratch)
      case .int8: packInteger8(stored, panel, bias, scratch)
      case .int16: break
      }
    }
    guard format != .int8, let bias else { return }
    for (lane, column) in panel.columns.enumerated() {
      panel.header.storeBytes(of: bias[column], toByteOffset: 4 * lane, as: Float.self)
    }
  }

  /// Floats are scaled by their column's largest magnitude; the table gets scales, biases and sums.
  private func packInteger8(
    _ stored: [ApusStoredColumn], _ panel: PackedMatrix.Panel, _ bias: [Float]?,
    _ scratch: UnsafeMutableRawPointer
  ) {
    var stored = stored
    var scales = stored.map(\.scale)
    var magnitudes = [Float](repeating: 0, count: panel.width)
    stored.withUnsafeBufferPointer { columns in
      guard let columns = columns.baseAddress else { return }
      var packing = packing(columns, panel, scratch)
      kernels.integer.largestMagnitudes(&packing, &magnitudes)
    }
    for lane in stored.indices where stored[lane].type != ApusStoredInteger8 {
      scales[lane] = magnitudes[lane] / 127
      let inverse = 127 / magnitudes[lane]
      stored[lane].scale = inverse < .infinity ? inverse : 0
    }
    var sums = [Int32](repeating: 0, count: panel.width)
    sums.withUnsafeMutableBufferPointer {
      run(kernels.integer.pack, stored, panel, scratch, sums: $0.baseAddress)
    }
    let vectorBytes = 4 * matrix.lanes
    for lane in 0..<panel.width {
      let table = panel.table + lane / matrix.lanes * 3 * vectorBytes + lane % matrix.lanes * 4
      let column = panel.columns.lowerBound + lane
      let start = bias.map { column < $0.count ? $0[column] : 0 } ?? 0
      table.storeBytes(of: scales[lane], as: Float.self)
      table.storeBytes(of: start, toByteOffset: vectorBytes, as: Float.self)
      table.storeBytes(of: sums[lane], toByteOffset: 2 * vectorBytes, as: Int32.self)
    }
  }

  private func run(
    _ kernel: (UnsafePointer<ApusPanelPacking>) -> Void, _ stored: [ApusStoredColumn],
    _ panel: PackedMatrix.Panel, _ scratch: UnsafeMutableRawPointer,
    sums: UnsafeMutablePointer<Int32>? = nil
  ) {
    stored.withUnsafeBufferPointer { columns in
      guard let columns = columns.baseAddress else { return }
      var packing = packing(columns, panel, scratch)
      packing.sums = sums
      kernel(&packing)
    }
  }

  private func packing(
    _ columns: UnsafePointer<ApusStoredColumn>, _ panel: PackedMatrix.Panel,
    _ scratch: UnsafeMutableRawPointer
  ) -> ApusPanelPacking {
    ApusPanelPacking(
      columns: columns, width: panel.width, depth: matrix.depth, target: panel.weights,
      targetStride: 4 * panel.width, sums: nil, scratch: scratch)
  }
}
