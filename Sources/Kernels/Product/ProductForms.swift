import CIntrinsics
import TensorCore

extension MatrixProduct {
  /// A linear layer: dense rows of float32, brought into the weights' format as they come, float32 results.
  /// - Parameters:
  ///   - activation: the function applied to the results, by its number in `KernelArguments.h`.
  ///   - isRectified: whether results below 0 become 0, before that.
  package init(
    _ matrix: PackedMatrix, _ format: WeightFormat, activation: Int32 = APUS_IDENTITY,
    isRectified: Bool = false, kernels: KernelSet
  ) {
    self.init(
      [matrix], format, name: "gemm \(format.rawValue)", inputBytes: 4,
      SumTreatment(low: isRectified ? 0 : -.infinity, activation: activation),
      staging: StagedRows(format, depth: matrix.depth, kernels: kernels), kernels: kernels)
  }

  /// Rows of unsigned bytes with a scale and a zero point each, packed int8 weights with a scale for each column, float32
  /// results.
  /// - Parameters:
  ///   - activation: the function applied to the results, by its number in `KernelArguments.h`.
  ///   - isRectified: whether results below 0 become 0, before that.
  package init(
    ofBytes matrix: PackedMatrix, activation: Int32 = APUS_IDENTITY, isRectified: Bool = false,
    kernels: KernelSet
  ) {
    self.init(
      [matrix], .int8, name: "gemm uint8", inputBytes: 1,
      SumTreatment(low: isRectified ? 0 : -.infinity, activation: activation),
      staging: StagedRows(ofBytes: matrix.depth, areSigned: false, kernels: kernels), kernels: kernels)
  }

  /// 8-bit rows, weights and results.
  package init(
    integer8 weights: UnsafeRawBufferPointer, groups: Int, columns: Int, depth: Int, bias: [Int32]?,
    quantization: IntegerQuantization, kernels: KernelSet, keptIn shelf: (any MatrixShelf)? = nil
  ) throws(ApusError) {
    let matrices = try Self.matrices(weights, groups, columns * depth, columns, shelf) {
      (part, range) throws(ApusError) in
      try .requantizing(
        part, columns: columns, depth: depth, bias: bias.map { $0[range] }, quantization: quantization,
        multipliers: quantization.multipliers[range], kernels: kernels)
    }
    self.init(
      matrices, .int8, name: "gemm int8", inputBytes: 1, outputBytes: 1,
      SumTreatment(
        quanta: quantization.low...quantization.high, isSigned: quantization.inputIsSigned,
        rowSumFactor: 0 &- quantization.signedWeightZeroPoint),
      staging: StagedRows(ofBytes: depth, areSigned: quantization.inputIsSigned, kernels: kernels),
      kernels: kernels)
    areKept = shelf != nil
  }

  /// int16 rows and results, int8 weights.
  /// - Parameters:
  ///   - scalings: of the sums of each column, with its bias.
  ///   - range: of results.
  package init(
    integer16 weights: UnsafeRawBufferPointer, groups: Int, columns: Int, depth: Int, scalings: [WideScaling],
    range: ClosedRange<Int32>, kernels: KernelSet, keptIn shelf: (any MatrixShelf)? = nil
  ) throws(ApusError) {
    let matrices = try Self.matrices(weights, groups, columns * depth, columns, shelf) {
      (part, range) throws(ApusError) in
      try .integer16(part, columns: columns, depth: depth, scalings: scalings[range], kernels: kernels)
    }
    self.init(
      matrices, .int16, name: "gemm int16", inputBytes: 2, outputBytes: 2, SumTreatment(quanta: range),
      kernels: kernels)
    areKept = shelf != nil
  }

  /// int8 rows with a scale and zero point each, int8 weights with a scale for each column, float32 results.
  package init(
    dynamicInteger8 weights: UnsafeRawBufferPointer, groups: Int, columns: Int, depth: Int, scales: [Float],
    bias: [Float]?, low: Float, high: Float, kernels: KernelSet, threads: Int = 1,
    keptIn shelf: (any MatrixShelf)? = nil
  ) throws(ApusError) {
    let matrices = try Self.matrices(weights, groups, columns * depth, columns, shelf) {
      (part, range) throws(ApusError) in
      try .linear(
        [StoredColumns(part, .int8, count: columns, scales: Array(scales[range]))], depth: depth,
        bias: bias.map { Array($0[range]) }, format: .int8, kernels: kernels, threads: threads)
    }
    self.init(
      matrices, .int8, name: "gemm dynamic int8", inputBytes: 1,
      SumTreatment(low: low, high: high, isSigned: true),
      staging: StagedRows(ofBytes: depth, areSigned: true, kernels: kernels), kernels: kernels)
    areKept = shelf != nil
  }

  /// What the rows of a product of float weights are when it gets them.
  package enum FloatRows: Sendable {
    /// float32, each brought into the format of the products by itself.
    case float32
    /// Of that format; int8 as unsigned bytes, with a scale and a zero point for each row.
    case converted
  }

  /// Float weights multiplied in `format`, float32 results limited to `low...high`.
  /// - Parameters:
  ///   - activation: the function applied to the results then, by its number in `KernelArguments.h`.
  ///   - weights: of all groups, column after column, `depth` elements each.
  ///   - columns: of one group.
  ///   - threads: that pack.
  ///   - shelf: what keeps the packed matrices for other products.
  package init(
    _ format: WeightFormat, of weights: UnsafeRawBufferPointer, _ dataType: DataType,
    rows: FloatRows = .float32, groups: Int, columns: Int, depth: Int, bias: [Float]?, low: Float,
    high: Float, activation: Int32 = APUS_IDENTITY, kernels: KernelSet, threads: Int = 1,
    keptIn shelf: (any MatrixShelf)? = nil
  ) throws(ApusError) {
    let matrices = try Self.matrices(weights, groups, columns * depth * dataType.byteCount, columns, shelf) {
      (part, range) throws(ApusError) in
      try .linear(
        [StoredColumns(part, dataType, count: columns)], depth: depth, bias: bias.map { Array($0[range]) },
        format: format, kernels: kernels, threads: threads)
    }
    let bytes: Int
    let staging: StagedRows?
    switch (rows, format) {
    // Patches are gathered, and pixels read, row by row as they come.
    case (_, .float32): (bytes, staging) = (4, nil)
    case (.float32, _): (bytes, staging) = (4, StagedRows(format, depth: depth, kernels: kernels))
    case (.converted, .int8):
      (bytes, staging) = (1, StagedRows(ofBytes: depth, areSigned: false, kernels: kernels))
    case (.converted, _): (bytes, staging) = (2, nil)
    }
    self.init(
      matrices, format, name: "gemm \(format.rawValue)", inputBytes: bytes,
      SumTreatment(low: low, high: high, activation: activation), staging: staging, kernels: kernels)
    areKept = shelf != nil
  }

  /// A matrix for each group, from the shelf or else from its part of the weights and its range of all columns.
  private static func matrices(
    _ weights: UnsafeRawBufferPointer, _ groups: Int, _ groupBytes: Int, _ columns: Int,
    _ shelf: (any MatrixShelf)?,
    _ pack: (UnsafeRawBufferPointer, Range<Int>) throws(ApusError) -> PackedMatrix
  ) throws(ApusError) -> [PackedMatrix] {
    var matrices: [PackedMatrix] = []
    for group in 0..<groups {
      let part = UnsafeRawBufferPointer(rebasing: weights[(group * groupBytes)..<((group + 1) * groupBytes)])
      let range = (group * columns)..<((group + 1) * columns)
      if let shelf {
        matrices.append(try shelf.matrix(ofGroup: group) { () throws(ApusError) in try pack(part, range) })
      } else {
        matrices.append(try pack(part, range))
      }
    }
    return matrices
  }
}

/// Where the packed matrices of a product are kept for others of the same weights.
package protocol MatrixShelf {
  /// The matrix of a group, made by `pack` where there is none yet.
  func matrix(
    ofGroup group: Int, pack: () throws(ApusError) -> PackedMatrix
  ) throws(ApusError) -> PackedMatrix
}
