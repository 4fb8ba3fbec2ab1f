import TensorCore

/// The position of the greatest or the least element along the axis in operand 1, without that axis; of equal ones
/// the first. A NaN loses to every number.
package struct ArgExtremum: Operation {
  package let kind: Extremum.Kind
  package let outputType: DataType
  package var name: String { kind == .maximum ? "argMax" : "argMin" }

  /// - Parameter outputType: int32 or int64.
  package init(_ kind: Extremum.Kind, outputType: DataType) {
    self.kind = kind
    self.outputType = outputType
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0, "the values", of: Lowering.comparableTypes).shape
    let axis = try shape.axis(operands.requireInteger(1, "the axis"))
    guard outputType == .int64 || outputType == .int32, shape[axis] <= Int(Int32.max) else {
      throw ApusError(.unsupportedModel, "positions as \(outputType.rawValue)", expected: "int32 or int64")
    }
    var dimensions = shape.dimensions
    let extent = dimensions.remove(at: axis)
    let result = try Shape(dimensions)
    guard extent > 0 || result.elementCount == 0 else {
      throw ApusError(
        .malformedModel, "axis \(axis) of shape \(shape) has no element", expected: "at least one")
    }
    return [try operands.result(result, of: outputType)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let axis = try type.shape.axis(context.operands.requireInteger(1, "the axis"))
    let kernel = ArgExtremumKernel(
      view: AxisView(type.shape, axis: axis), greatest: kind == .maximum, isWide: outputType == .int64)
    return Lowering(kind == .maximum ? "arg max" : "arg min", comparing: type.dataType, kernel)
  }
}

private struct ArgExtremumKernel: ComparingKernel {
  let view: AxisView
  let greatest: Bool
  /// Whether the result is int64.
  let isWide: Bool

  func run<Element: Comparable & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Element.Type
  ) throws(ApusError) {
    let source = arguments.input(0, as: Element.self)
    let wide = arguments.output(0, as: Int64.self)
    let narrow = arguments.output(0, as: Int32.self)
    for outer in 0..<view.outer {
      for inner in 0..<view.inner {
        let position = position(source, from: outer * view.extent * view.inner + inner)
        let index = outer * view.inner + inner
        if isWide {
          wide[index] = Int64(position)
        } else {
          narrow[index] = Int32(truncatingIfNeeded: position)
        }
      }
    }
  }

  private func position<Element: Comparable>(_ source: UnsafeBufferPointer<Element>, from start: Int) -> Int {
    var best = 0
    var value = source[start]
    for position in 1..<max(view.extent, 1) {
      let candidate = source[start + position * view.inner]
      // Only a NaN differs from itself.
      let isBetter = greatest ? candidate > value : candidate < value
      if isBetter || value != value && candidate == candidate {
        best = position
        value = candidate
      }
    }
    return best
  }
}
