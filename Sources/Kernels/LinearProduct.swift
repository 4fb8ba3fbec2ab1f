import CIntrinsics
import TensorCore

/// A matrix product prepared to run: packed weights (for each group of a grouped convolution), the kernel
/// for their format, and what happens to the sums.
package struct LinearProduct: Sendable {
  /// One for each group.
  package let matrices: [PackedMatrix]
  /// The kernel's name in reports.
  package let name: String
  /// Bytes of one element of the rows, and of the result.
  package let inputBytes: Int
  package let outputBytes: Int
  package let tileRows: Int
  /// Integer: what each row's sum of elements is multiplied by and added to its results; 0 when the weights'
  /// zero point is 0.
  package let rowSumFactor: Int32
  package let gatherPatches: @Sendable (UnsafePointer<ApusPatches>) -> Void
  private let kernel: @Sendable (UnsafePointer<ApusGemm>) -> Void
  private let sumRows:
    @Sendable (UnsafeRawPointer, Int, Int, Int, Bool, Int32, UnsafeMutablePointer<Int32>) -> Void
  private let low: Float
  private let high: Float
  private let quanta: ClosedRange<Int32>
  private let tiesAway: Bool
  private let isSigned: Bool

  /// Float32 rows, float weights, float32 results limited to `low...high`.
  /// - Parameters:
  ///   - weights: of all groups, column after column, `depth` elements each.
  ///   - columns: of one group.
  package init(
    float32 weights: UnsafeRawBufferPointer, _ dataType: DataType, groups: Int, columns: Int, depth: Int,
    bias: [Float]?, low: Float, high: Float, kernels: KernelSet
  ) throws(ApusError) {
    let groupBytes = columns * depth * dataType.byteCount
    var matrices: [PackedMatrix] = []
    for group in 0..<groups {
      let part = UnsafeRawBufferPointer(rebasing: weights[(group * groupBytes)..<((group + 1) * groupBytes)])
      matrices.append(
        try .float32(
          part, dataType, layout: MatrixLayout(columns: columns, depth: depth),
          bias: bias.map { Array($0[(group * columns)..<((group + 1) * columns)]) }, kernels: kernels))
    }
    self.init(
      matrices: matrices, name: "gemm float32", kernel: kernels.gemmFloat32, kernels: kernels, inputBytes: 4,
      outputBytes: 4, low: low, high: high)
  }

  /// 8-bit rows, weights and results.
  package init(
    integer8 weights: UnsafeRawBufferPointer, groups: Int, columns: Int, depth: Int, bias: [Int32]?,
    quantization: IntegerQuantization, kernels: KernelSet
  ) throws(ApusError) {
    let groupBytes = columns * depth
    var matrices: [PackedMatrix] = []
    for group in 0..<groups {
      let part = UnsafeRawBufferPointer(rebasing: weights[(group * groupBytes)..<((group + 1) * groupBytes)])
      matrices.append(
        try .requantizing(
          part, layout: MatrixLayout(columns: columns, depth: depth),
          bias: bias.map { $0[(group * columns)..<((group + 1) * columns)] }, quantization: quantization,
          multipliers: quantization.multipliers[(group * columns)..<((group + 1) * columns)],
          kernels: kernels))
    }
    self.init(
      matrices: matrices, name: "gemm int8", kernel: kernels.gemmInteger8, kernels: kernels, inputBytes: 1,
      outputBytes: 1, quanta: quantization.low...quantization.high, tiesAway: quantization.tiesAway,
      isSigned: quantization.inputIsSigned, rowSumFactor: 0 &- quantization.signedWeightZeroPoint)
  }

  /// int8 rows with a scale and zero point each, int8 weights with a scale for each column, float32 results.
  package init(
    dynamicInteger8 weights: UnsafeRawBufferPointer, groups: Int, columns: Int, depth: Int, scales: [Float],
    bias: [Float]?, low: Float, high: Float, kernels: KernelSet
  ) throws(ApusError) {
    let groupBytes = columns * depth
    var matrices: [PackedMatrix] = []
    for group in 0..<groups {
      let part = UnsafeRawBufferPointer(rebasing: weights[(group * groupBytes)..<((group + 1) * groupBytes)])
      matrices.append(
        try .scaling(
          part, layout: MatrixLayout(columns: columns, depth: depth),
          scales: scales[(group * columns)..<((group + 1) * columns)],
          bias: bias.map { $0[(group * columns)..<((group + 1) * columns)] }, kernels: kernels))
    }
    self.init(
      matrices: matrices, name: "gemm dynamic int8", kernel: kernels.gemmInteger8ToFloat32, kernels: kernels,
      inputBytes: 1, outputBytes: 4, low: low, high: high, isSigned: true)
  }

  private init(
    matrices: [PackedMatrix], name: String, kernel: @escaping @Sendable (UnsafePointer<ApusGemm>) -> Void,
    kernels: KernelSet, inputBytes: Int, outputBytes: Int, low: Float = -.infinity, high: Float = .infinity,
    quanta: ClosedRange<Int32> = 0...0, tiesAway: Bool = true, isSigned: Bool = false, rowSumFactor: Int32 = 0
  ) {
    self.matrices = matrices
    self.name = "\(name) \(kernels.tileRows)x\(kernels.panelColumns)"
    self.kernel = kernel
    self.sumRows = kernels.sumRows8
    self.gatherPatches = kernels.gatherPatches
    self.inputBytes = inputBytes
    self.outputBytes = outputBytes
    self.tileRows = kernels.tileRows
    self.low = low
    self.high = high
    self.quanta = quanta
    self.tiesAway = tiesAway
    self.isSigned = isSigned
    self.rowSumFactor = rowSumFactor
  }

  /// The rows of one product and where their results go.
  package struct Rows {
    package var count: Int
    package var address: UnsafeRawPointer
    /// Bytes from one row to the next.
    package var stride: Int
    package var result: UnsafeMutableRawPointer
    package var resultStride: Int
    /// Float: added to the results before they are limited; its rows are as far apart as the result's.
    package var residual: UnsafePointer<Float>?
    /// Working memory for one number a row; needed when ``LinearProduct/rowSumFactor`` is not 0.
    package var sums: UnsafeMutablePointer<Int32>?
    /// Dynamic quantization: the scale of each row's elements, and their zero point plus 128.
    package var scales: UnsafePointer<Float>?
    package var zeroPoints: UnsafePointer<Int32>?
    /// Dynamic quantization: whether sums are multiplied by their column's scale and then by their row's,
    /// rather than by the product of both, which rounds differently.
    package var scalesColumnsFirst = false

    package init(
      count: Int, address: UnsafeRawPointer, stride: Int, result: UnsafeMutableRawPointer, resultStride: Int
    ) {
      self.count = count
      self.address = address
      self.stride = stride
      self.result = result
      self.resultStride = resultStride
    }
  }

  /// About what one thread does, at 250 GFLOP/s or 1000 Gop/s of bytes; decides how work is shared.
  package var multiplyAccumulatesPerNanosecond: Int { inputBytes == 1 ? 500 : 125 }

  /// Computes all columns of one group for `rows`, on up to `threads` threads.
  package func multiply(group: Int, _ rows: Rows, threads: Int) {
    let matrix = matrices[group]
    matrix.multiply(
      gemm(rows), threads: threads, tileRows: tileRows,
      multiplyAccumulatesPerNanosecond: multiplyAccumulatesPerNanosecond,
      prepareRows: { range in
        guard rowSumFactor != 0, let sums = rows.sums else { return }
        sumRows(
          rows.address + range.lowerBound * rows.stride, rows.stride, range.count, matrix.depth, isSigned,
          rowSumFactor, sums + range.lowerBound)
      }, kernel)
  }

  private func gemm(_ rows: Rows) -> ApusGemm {
    var gemm = ApusGemm(
      rows: rows.count, a: rows.address, aStride: rows.stride, c: rows.result, cStride: rows.resultStride,
      resultIsByte: outputBytes == 1)
    gemm.low = low
    gemm.high = high
    gemm.lowQuantum = quanta.lowerBound
    gemm.highQuantum = quanta.upperBound
    gemm.tiesAway = tiesAway ? 1 : 0
    gemm.isSigned = isSigned ? 1 : 0
    gemm.residual = rows.residual
    gemm.residualStride = rows.resultStride
    gemm.rowScales = rows.scales
    gemm.scalesColumnsFirst = rows.scalesColumnsFirst ? 1 : 0
    gemm.rowSums = rows.scales != nil ? rows.zeroPoints : rowSumFactor != 0 ? UnsafePointer(rows.sums) : nil
    return gemm
  }
}
