extension MatrixProduct {
  /// The rows of one product and where their results go.
  package struct Rows {
    package var count: Int
    package var address: UnsafeRawPointer
    /// Bytes from one row to the next.
    package var stride: Int
    package var result: UnsafeMutableRawPointer
    package var resultStride: Int
    /// Working memory, of as many bytes as ``MatrixProduct/scratchByteCount(rows:threads:)`` says; when that is 0,
    /// any address.
    package var scratch: UnsafeMutableRawPointer
    /// Float: added to the results before they are limited; its rows are as far apart as the result's.
    package var residual: UnsafePointer<Float>?
    /// Working memory for one number a row; needed when ``MatrixProduct/rowSumFactor`` is not 0.
    package var sums: UnsafeMutablePointer<Int32>?
    /// Dynamic quantization: the scale of each row's elements, and their zero point as an unsigned byte.
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
      scratch = result
    }

    /// Some of the rows.
    func part(_ range: Range<Int>) -> Rows {
      let first = range.lowerBound
      var part = self
      part.count = range.count
      part.address = address + first * stride
      part.result = result + first * resultStride
      part.residual = residual.map {
        (UnsafeRawPointer($0) + first * resultStride).assumingMemoryBound(to: Float.self)
      }
      part.sums = sums.map { $0 + first }
      part.scales = scales.map { $0 + first }
      part.zeroPoints = zeroPoints.map { $0 + first }
      return part
    }
  }
}
