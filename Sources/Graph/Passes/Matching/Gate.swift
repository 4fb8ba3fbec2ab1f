import TensorCore

/// How an activation is spelled that multiplies x by a function of it: the gate.
struct Gate: Sendable {
  /// What the gate is a function of.
  let argument: @Sendable (_ x: Value) -> Polynomial
  /// What is made of x and the gate.
  let product: @Sendable (_ x: Value, _ gate: Value) -> Polynomial
}

extension GraphMatcher {
  /// Where an activation is spelled so: x, and the value that the activation is.
  /// - Parameters:
  ///   - gate: the gate's result.
  ///   - argument: what it is computed from; with an activation of its own, that is left out.
  func find(
    _ spelling: Gate, gate: Value, argument: Value
  ) -> (x: Value, result: Value)? {
    let count = shape(of: gate).elementCount
    let isWhole = { (value: Value) in shape(of: value).elementCount == count }
    for x in sources(of: argument) where x != gate && isWhole(x) {
      var reader = PolynomialReader(self, [x], rows: count)
      guard
        reader.polynomial(argument, beforeActivation: argument == gate)?.isClose(to: spelling.argument(x))
          == true
      else { continue }
      reader = PolynomialReader(self, [x, gate], rows: count)
      for result in results(of: gate).dropFirst() where isWhole(result) {
        if reader.polynomial(result)?.isClose(to: spelling.product(x, gate)) == true,
          isPrivate(from: [x], to: [result])
        {
          return (x, result)
        }
      }
    }
    return nil
  }

  /// The graph in which an operation on `x` alone makes `result`.
  func replacing(_ result: Value, by operation: any Operation, of x: Value) throws(ApusError) -> Graph {
    var patch = GraphPatch(graph, label: writer(of: result)?.label ?? operation.name)
    let made = try patch.add(operation, [x])
    return try patch.replacing(result, by: made)
  }
}
