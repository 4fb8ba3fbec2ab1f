import CLibrary

/// OpenBLAS's general matrix product, the float path for matrices that no kernel of ours covers. The library is loaded
/// when it is first needed: few models need it, and its threads would begin with the process.
package enum BLAS {
  // The types of cblas.h where integers have 32 bits, and two of its constants.
  private typealias MatrixProduct =
    @convention(c) (
      CInt, CInt, CInt, CInt, CInt, CInt, Float, UnsafePointer<Float>, CInt, UnsafePointer<Float>, CInt,
      Float, UnsafeMutablePointer<Float>, CInt
    ) -> Void
  private static let rowMajor: CInt = 101
  private static func transposition(_ isTransposed: Bool) -> CInt { isTransposed ? 112 : 111 }

  private struct Library: Sendable {
    let product: MatrixProduct
    let coreName: String

    init?() {
      guard let library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL),
        let product = dlsym(library, "cblas_sgemm"),
        let setThreads = dlsym(library, "openblas_set_num_threads"),
        let coreName = dlsym(library, "openblas_get_corename")
      else { return nil }
      // The process has one pool of threads: OpenBLAS stays on the calling one.
      unsafeBitCast(setThreads, to: (@convention(c) (CInt) -> Void).self)(1)
      self.product = unsafeBitCast(product, to: MatrixProduct.self)
      let name = unsafeBitCast(coreName, to: (@convention(c) () -> UnsafePointer<CChar>?).self)()
      self.coreName = name.map { String(cString: $0) } ?? "unknown"
    }
  }

  private static let library = Library()

  /// Whether the library is on this machine.
  package static var isAvailable: Bool { library != nil }

  /// The processor core whose kernels OpenBLAS chose; nil where there is no OpenBLAS.
  package static var coreName: String? { library?.coreName }

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
  /// - Returns: false, with nothing done, when there is no OpenBLAS, or a size or leading dimension is not one that it
  ///   takes.
  @discardableResult
  package static func gemm(
    m: Int, n: Int, k: Int, a: UnsafePointer<Float>, leadingA: Int, transposeA: Bool = false,
    b: UnsafePointer<Float>, leadingB: Int, transposeB: Bool = false, c: UnsafeMutablePointer<Float>,
    leadingC: Int, beta: Float = 0
  ) -> Bool {
    guard let library, let m = Int32(exactly: m), let n = Int32(exactly: n), let k = Int32(exactly: k),
      let leadingA = Int32(exactly: leadingA), let leadingB = Int32(exactly: leadingB),
      let leadingC = Int32(exactly: leadingC), m >= 0, n >= 0, k >= 0,
      leadingA >= max(1, transposeA ? m : k), leadingB >= max(1, transposeB ? k : n), leadingC >= max(1, n)
    else { return false }
    library.product(
      rowMajor, transposition(transposeA), transposition(transposeB), m, n, k, 1, a, leadingA, b, leadingB,
      beta, c, leadingC)
    return true
  }
}
