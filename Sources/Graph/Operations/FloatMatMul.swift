import Kernels
import TensorCore

/// Products of float32 matrices that are both known only when the model runs: by the packed kernels, or by OpenBLAS where
/// these are slower.
struct FloatMatMul: Sendable {
  /// Who multiplies.
  private enum Way: Sendable {
    case kernels, library
  }

  private let layout: MatrixLayout
  private let product: ComputedProduct
  private let way: Way
  private let clamp: FloatClamp
  private var isLimited: Bool { clamp.lower > -.infinity || clamp.upper < .infinity }

  init(_ layout: MatrixLayout, activation: Activation = .none, _ context: LoweringContext) {
    self.layout = layout
    clamp = FloatClamp(activation)
    let isOne = layout.isOneProduct
    let rows = isOne ? layout.rows * layout.matrices : layout.rows
    product = ComputedProduct(
      matrices: isOne ? min(layout.matrices, 1) : layout.matrices,
      rows: rows, columns: layout.columns, depth: layout.depth,
      a: (layout.aSteps.row, layout.aSteps.depth), b: (layout.bSteps.column, layout.bSteps.depth),
      limits: clamp.lower...clamp.upper, threads: context.threads, kernels: context.kernels)
    way = Self.fasterWay(rows: rows, layout, context.kernels)
  }

  /// OpenBLAS multiplies small matrices without packing them, which is faster as long as few rows meet what is packed
  /// (`Documentation/notes/kernels.md`). Kernels of vectors of 4 elements have not been measured beside its own.
  private static func fasterWay(rows: Int, _ layout: MatrixLayout, _ kernels: KernelSet) -> Way {
    let products = [rows, layout.columns, layout.depth].saturatingProduct
    let isMuch = products > 1_000_000 || layout.transposes.b && rows >= 64
    // Rows a multiple of 4096 bytes apart are copied for every few panels.
    if kernels.float.lanes >= 8, rows >= 16, isMuch, layout.depth % 1024 != 0 { return .kernels }
    return layout.depth > 0 && BLAS.isAvailable ? .library : .kernels
  }

  /// The kernel's name in reports, behind that of the operation.
  var kernelName: String { way == .library ? "OpenBLAS" : product.name }

  /// Bytes of working memory. The library needs none, but refuses sizes beyond 32 bits.
  var scratchByteCount: Int { product.scratchByteCount }

  /// - Parameter bias: the operand that has a number for each column; nil for none.
  func run(_ arguments: borrowing KernelArguments, bias: Int? = nil) {
    guard let a = arguments.input(0, as: Float.self).baseAddress,
      let b = arguments.input(1, as: Float.self).baseAddress,
      let c = arguments.output(0, as: Float.self).baseAddress
    else { return }
    let bias = bias.flatMap { arguments.input($0, as: Float.self).baseAddress }
    if way == .library, multiplyByLibrary(a, b, c, threads: arguments.threads) {
      finish(c, bias)
    } else {
      product.multiply(
        ComputedProduct.Operands(a: a, b: b, c: c, bias: bias, scratch: arguments.scratch),
        threads: arguments.threads, origins: layout.origins)
    }
  }

  /// - Returns: false where the library is missing or cannot.
  private func multiplyByLibrary(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>, threads: Int
  ) -> Bool {
    let (rows, columns, depth) = (layout.rows, layout.columns, layout.depth)
    func multiply(_ matrix: Int) -> Bool {
      let origins = layout.origins(ofMatrix: matrix)
      return BLAS.gemm(
        m: rows, n: columns, k: depth, a: a + origins.a, leadingA: layout.transposes.a ? rows : depth,
        transposeA: layout.transposes.a, b: b + origins.b, leadingB: layout.transposes.b ? depth : columns,
        transposeB: layout.transposes.b, c: c + matrix * rows * columns, leadingC: columns)
    }
    // What it refuses is the size, which all have.
    guard layout.matrices == 0 || multiply(0) else { return false }
    ThreadPool.shared.parallel(
      count: layout.matrices - 1, nanosecondsPerItem: [rows, columns, depth].saturatingProduct / 64,
      threads: threads
    ) { range, _ in
      for matrix in range { _ = multiply(matrix + 1) }
    }
    return true
  }

  /// What the library does not do.
  private func finish(_ c: UnsafeMutablePointer<Float>, _ bias: UnsafePointer<Float>?) {
    for row in 0..<layout.matrices * layout.rows {
      let line = c + row * layout.columns
      if let bias {
        for column in 0..<layout.columns { line[column] += bias[column] }
      }
      if isLimited {
        for column in 0..<layout.columns { line[column] = clamp(line[column]) }
      }
    }
  }
}
