import COpenBLAS

/// OpenBLAS's general matrix product, the float path for matrices that no kernel of ours covers.
package enum BLAS {
  /// Whether OpenBLAS has been told to stay on the calling thread: the process has one pool of threads.
  private static let isPinned: Bool = {
    openblas_set_num_threads(1)
    return true
  }()

  /// The processor core whose kernels OpenBLAS chose.
  package static let coreName: String = {
    guard let name = openblas_get_corename() else { return "unknown" }
    return String(cString: name)
  }()

  /// `C = A × B` in row-major order, where A is M × K, B is K × N and C is M × N.
  ///
  /// A transposed operand is stored as its transpose: A as K × M, B as N × K. A leading dimension is the
  /// number of elements between the starts of consecutive stored rows, at least the row's length and at
  /// least 1.
  /// - Parameters:
  ///   - m: rows of A and C.
  ///   - n: columns of B and C.
  ///   - k: columns of A, rows of B.
  ///   - beta: 0 to overwrite C, 1 to add to it.
  /// - Returns: false, with nothing done, when a size or leading dimension is not one that the library takes.
  @discardableResult
  package static func gemm(
    m: Int, n: Int, k: Int, a: UnsafePointer<Float>, leadingA: Int, transposeA: Bool = false,
    b: UnsafePointer<Float>, leadingB: Int, transposeB: Bool = false, c: UnsafeMutablePointer<Float>,
    leadingC: Int, beta: Float = 0
  ) -> Bool {
    guard let m = Int32(exactly: m), let n = Int32(exactly: n), let k = Int32(exactly: k),
      let leadingA = Int32(exactly: leadingA), let leadingB = Int32(exactly: leadingB),
      let leadingC = Int32(exactly: leadingC), m >= 0, n >= 0, k >= 0,
      leadingA >= max(1, transposeA ? m : k), leadingB >= max(1, transposeB ? k : n), leadingC >= max(1, n),
      isPinned
    else { return false }
    cblas_sgemm(
      CblasRowMajor, transposeA ? CblasTrans : CblasNoTrans, transposeB ? CblasTrans : CblasNoTrans, m, n,
      k, 1, a, leadingA, b, leadingB, beta, c, leadingC)
    return true
  }
}
