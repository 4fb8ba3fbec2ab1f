import Kernels
import TensorCore

/// One kind of computation, with its attributes: what it is called, the shape it gives, and how it is done.
///
/// A new operation is one new file in `Operations` with one type that conforms.
package protocol Operation: Sendable {
  /// The name in reports, in lower camel case: `conv2D`.
  var name: String { get }

  /// The types of the results. Everything the operands say is checked here: what passes can be lowered
  /// and run without trapping.
  func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType]

  /// The way it runs for operands of these types, with everything prepared that does not depend on the
  /// input: packed weights, tables, multipliers. Not called where no result has an element.
  func lower(_ context: LoweringContext) throws(ApusError) -> Lowering

  /// Multiplications with an addition that one run takes, for reports; the largest number when they are more.
  func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int

  /// The operands whose elements are needed only by ``lower(_:)``: a run never reads them, so that they
  /// need no memory of their own afterwards, and may be stored as float16 where float32 is declared.
  func preparedInputs(_ operands: Operands) -> Set<Int>

  /// The format in which ``lower(_:)`` packs those of ``preparedInputs(_:)`` that are matrices or filters, where a
  /// precision decides it.
  /// - Parameters:
  ///   - precision: that of the graph.
  ///   - kernels: those that will read the weights.
  /// - Returns: nil where a precision decides nothing: what is packed then has the numbers that the model says.
  func packedFormat(_ operands: Operands, _ precision: Precision, _ kernels: KernelSet) -> WeightFormat?

  /// What the numbers of the results are.
  var resultMeaning: ResultMeaning { get }
}

extension Operation {
  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int { 0 }
  package func preparedInputs(_ operands: Operands) -> Set<Int> { [] }
  package func packedFormat(
    _ operands: Operands, _ precision: Precision, _ kernels: KernelSet
  ) -> WeightFormat? { nil }
  package var resultMeaning: ResultMeaning { .computed }

  /// The way it runs; where no result has an element nothing does, however many rows without elements there are.
  package func lowering(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try context.results.allSatisfy { $0.shape.elementCount == 0 } ? .nothing : lower(context)
  }

  /// Whether both compute the same function, apart from attributes such as strides and axes.
  package func isSameKind(as other: any Operation) -> Bool {
    Self.self == type(of: other) && name == other.name
  }
}

/// What an operation may use while it prepares to run.
package struct LoweringContext: Sendable {
  package let operands: Operands
  /// The inferred types of the results.
  package let results: [TensorType]
  package let kernels: KernelSet
  /// Threads that a run may use, for kernels with working memory for each.
  package let threads: Int
  package let precision: Precision
  package let packedWeights: PackedWeightStore?

  package init(
    operands: Operands, results: [TensorType], kernels: KernelSet, threads: Int = 1,
    precision: Precision = .float32, packedWeights: PackedWeightStore? = nil
  ) {
    self.operands = operands
    self.results = results
    self.kernels = kernels
    self.threads = threads
    self.precision = precision
    self.packedWeights = packedWeights
  }
}

extension LoweringContext {
  /// The one result's type.
  var result: TensorType { results[0] }

  /// The same with another precision.
  func of(_ precision: Precision) -> LoweringContext {
    LoweringContext(
      operands: operands, results: results, kernels: kernels, threads: threads, precision: precision,
      packedWeights: packedWeights)
  }
}

extension ApusError {
  /// The error of a lowering for a type that `outputTypes` refuses.
  static func unsupportedType(_ dataType: DataType) -> ApusError {
    ApusError(.unsupportedModel, "a tensor of \(dataType.rawValue)")
  }
}

/// How one node runs.
package struct Lowering: Sendable {
  /// The body of a node. It must not allocate, and must not keep the arguments.
  package typealias Body = @Sendable (borrowing KernelArguments) throws(ApusError) -> Void

  /// The kernel's name in reports: `gemm f32 12x32`.
  package var kernel: String
  /// The numbers whose products are added, for what ``Operation/multiplyAccumulates(_:results:)`` counts: float32,
  /// bfloat16, int8 for all of 8 bits, or int16.
  package var products: DataType?
  /// Bytes of working memory that the body needs besides its operands.
  package var scratchByteCount: Int
  /// The operand whose memory the single result shares, unchanged; then there is nothing to run.
  package var aliasedInput: Int?
  /// Operands whose elements the body reads elsewhere than at their address: those of constants are not made for it.
  package var unreadInputs: Set<Int> = []
  /// Bytes of weights that the body keeps for itself; nil for those of ``Operation/preparedInputs(_:)`` as they were
  /// stored.
  var weightByteCount: Int?
  package var body: Body

  package init(
    _ kernel: String, products: DataType? = nil, scratchByteCount: Int = 0, body: @escaping Body
  ) {
    self.kernel = kernel
    self.products = products
    self.scratchByteCount = scratchByteCount
    self.aliasedInput = nil
    self.body = body
  }

  /// A run of a prepared product.
  /// - Parameter detail: what follows its name in reports.
  init(_ product: MatrixProduct, _ detail: String = "", scratchByteCount: Int, body: @escaping Body) {
    self.init(
      product.name + detail, products: DataType(rawValue: product.format.rawValue),
      scratchByteCount: scratchByteCount, body: body)
    // Those in the store are counted there.
    weightByteCount = product.areKept ? 0 : product.matrices.reduce(0) { $0 + $1.byteCount }
  }

  /// The result is operand `index` under another shape.
  package static func alias(ofInput index: Int) -> Lowering {
    var lowering = Lowering("alias") { _ in }
    lowering.aliasedInput = index
    return lowering
  }
}

extension Collection where Element == Int {
  /// The product of numbers that are not negative; the largest number when it is more.
  package var saturatingProduct: Int {
    reduce(1) { product, factor in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? Int.max : next
    }
  }
}
