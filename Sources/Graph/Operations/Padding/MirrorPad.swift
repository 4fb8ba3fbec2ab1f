import TensorCore

/// Operand 0 continued along each axis by its own mirror image, as far as the pairs in operand 1 say.
package struct MirrorPad: Operation {
  package enum Mode: Sendable {
    /// The border element is the mirror: `2 1 | 0 1 2 | 1 0`.
    case reflect
    /// The border itself is the mirror: `1 0 | 0 1 2 | 2 1`.
    case symmetric
  }

  package let mode: Mode
  package var name: String { "mirrorPad" }

  package init(mode: Mode) { self.mode = mode }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0).shape
    for (axis, pad) in try operands.paddings().enumerated() {
      let most = mode == .reflect ? shape[axis] - 1 : shape[axis]
      guard max(pad.before, pad.after) <= max(most, 0) else {
        throw ApusError(
          .malformedModel, "paddings \(pad.before) and \(pad.after) along axis \(axis) of shape \(shape)",
          expected: "at most \(max(most, 0))")
      }
    }
    return [try operands.padded()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let result = context.results[0].shape
    let before = try context.operands.paddings().map(\.before)
    let axes = result.dimensions.indices.map { axis in
      MirrorPadKernel.Axis(
        extent: type.shape[axis], padded: result[axis], before: before[axis],
        source: type.shape.strides[axis],
        target: result.strides[axis])
    }
    return Lowering(
      "mirror pad", moving: type.dataType, MirrorPadKernel(axes: axes, gap: mode == .reflect ? 0 : 1))
  }
}

private struct MirrorPadKernel: WordKernel {
  struct Axis {
    let extent: Int
    let padded: Int
    let before: Int
    let source: Int
    let target: Int
  }

  let axes: [Axis]
  /// Elements between the border element and its mirror image: 1 when it is repeated.
  let gap: Int

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    guard let source = arguments.input(0, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    fill(0, source, target)
  }

  private func fill<Word: BitwiseCopyable>(
    _ level: Int, _ source: UnsafePointer<Word>, _ target: UnsafeMutablePointer<Word>
  ) {
    guard level < axes.count else {
      target.pointee = source.pointee
      return
    }
    let axis = axes[level]
    for index in 0..<axis.padded {
      var position = index - axis.before
      if position < 0 { position = -position - gap }
      if position >= axis.extent { position = 2 * axis.extent - 2 - position + gap }
      fill(level + 1, source + position * axis.source, target + index * axis.target)
    }
  }
}
