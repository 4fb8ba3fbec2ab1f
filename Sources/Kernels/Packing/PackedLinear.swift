import CIntrinsics
import TensorCore

extension PackedMatrix {
  /// Packs the columns of all `parts` side by side, panel by panel, on up to `threads` threads.
  ///
  /// For int8 a column of floats is quantized by its largest magnitude, which becomes 127; a column with an
  /// element that is not finite gives NaN. Stored int8 elements stay as they are.
  /// - Parameters:
  ///   - bias: one number for each column; zeros when nil.
  /// - Throws: ``ApusError`` for element types other than float32, float16, bfloat16 and int8, or when there is
  ///   no memory.
  package static func linear(
    _ parts: [StoredColumns], depth: Int, bias: [Float]?, format: WeightFormat, kernels: KernelSet,
    threads: Int
  ) throws(ApusError) -> PackedMatrix {
    guard format != .int16 else {
      throw ApusError(.unsupportedModel, "float rows with packed weights of int16")
    }
    var columns: [ApusStoredColumn] = []
    for part in parts { columns += try part.addresses(depth: depth) }
    let matrix = try PackedMatrix(
      columns: columns.count, depth: depth, format: format, lanes: kernels.lanes(format),
      tableBytes: format.tableBytes(lanes: kernels.lanes(format)))
    let bytesPerPanel = 4 * matrix.panelStride
    ThreadPool.shared.parallel(
      count: matrix.panelCount, nanosecondsPerItem: max(1, bytesPerPanel / 4), threads: threads
    ) { range, _ in
      let packer = PanelPacker(matrix, format, kernels)
      for index in range { packer.pack(index, columns, bias) }
    }
    return matrix
  }
}

extension WeightFormat {
  /// Bytes that the epilogue reads for one vector of columns.
  func tableBytes(lanes: Int) -> Int { self == .int8 ? 12 * lanes : 0 }
}

extension StoredColumns {
  /// Each column's place.
  fileprivate func addresses(depth: Int) throws(ApusError) -> [ApusStoredColumn] {
    let type: ApusStoredType
    switch dataType {
    case .float32: type = ApusStoredFloat32
    case .float16: type = ApusStoredFloat16
    case .bfloat16: type = ApusStoredBFloat16
    case .int8: type = ApusStoredInteger8
    default:
      throw ApusError(
        .unsupportedModel, "weights of \(dataType.rawValue)",
        expected: "float32, float16, bfloat16 or int8")
    }
    let columnBytes = depth * dataType.byteCount
    guard bytes.count >= count * columnBytes else {
      throw ApusError(
        .malformedModel, "weights of \(bytes.count) bytes", expected: "\(count * columnBytes)")
    }
    let distance = order == .byRows ? dataType.byteCount : columnBytes
    let step = order == .byRows ? count * dataType.byteCount : dataType.byteCount
    return (0..<count).map { index in
      ApusStoredColumn(
        address: bytes.baseAddress.map { $0 + index * distance }, step: step,
        scale: index < scales.count ? scales[index] : 1, type: type)
    }
  }
}
