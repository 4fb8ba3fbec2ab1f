import Graph
import TensorCore

/// An operand of one operation under test.
struct TestOperand {
  let tensor: Tensor
  let isConstant: Bool

  /// An operand given when the model runs.
  static func given<Element: TensorElement>(
    _ elements: [Element], _ shape: [Int], quantization: Quantization? = nil
  ) throws -> TestOperand {
    TestOperand(
      tensor: try Tensor(elements, shape: Shape(shape), quantization: quantization), isConstant: false)
  }

  /// An integer vector that the model holds.
  static func integers(_ elements: [Int32]) throws -> TestOperand {
    TestOperand(tensor: try Tensor(elements, shape: .vector(elements.count)), isConstant: true)
  }

  /// An integer scalar that the model holds.
  static func integer(_ element: Int32) throws -> TestOperand {
    TestOperand(tensor: try Tensor([element], shape: .scalar), isConstant: true)
  }
}

/// The results of one operation on `operands`, on a pool of `threads`.
func results(
  of operation: some Operation, _ operands: [TestOperand], declaring types: [TensorType?] = [nil],
  threads: Int = 1
) throws -> [Tensor] {
  var builder = GraphBuilder()
  var values: [Value] = []
  for (index, operand) in operands.enumerated() {
    values.append(
      operand.isConstant
        ? builder.constant("operand \(index)", operand.tensor)
        : builder.input("operand \(index)", operand.tensor.type))
  }
  let declarations = types.enumerated().map { GraphBuilder.Declaration("result \($0)", $1) }
  for value in try builder.add(operation, values, results: declarations, label: operation.name) {
    builder.output(value)
  }
  var options = CompileOptions()
  options.threads = threads
  return try Compiler.compile(builder.graph, options).run(
    operands.filter { !$0.isConstant }.map(\.tensor))
}

/// The only result of one operation.
func result(of operation: some Operation, _ operands: [TestOperand], threads: Int = 1) throws -> Tensor {
  try results(of: operation, operands, threads: threads)[0]
}
