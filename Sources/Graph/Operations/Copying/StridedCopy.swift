import TensorCore

/// A copy of a box of elements between two strided arrangements: element (i₀, i₁, …) goes from
/// `sourceStart + Σ iₖ·sourceₖ` to `targetStart + Σ iₖ·targetₖ`, all in elements.
///
/// Transposition, slicing, reversal, repetition, splitting and joining are all copies of this form. The
/// maker answers for every index lying inside the operands.
struct StridedCopy: Sendable {
  struct Axis: Sendable, Equatable {
    var extent: Int
    var source: Int
    var target: Int
  }

  /// Outermost first; no extent is 1, and neighbours that could be one axis are.
  private(set) var axes: [Axis] = []
  let sourceStart: Int
  let targetStart: Int
  let elementCount: Int

  init(
    _ extents: [Int], source: [Int], from sourceStart: Int = 0, target: [Int], to targetStart: Int = 0
  ) {
    self.sourceStart = sourceStart
    self.targetStart = targetStart
    guard !extents.contains(0) else {
      // The other extents of an empty box are bounded by nothing, so that no product of them may be taken.
      elementCount = 0
      axes = [Axis(extent: 1, source: 1, target: 1)]
      return
    }
    elementCount = extents.reduce(1, *)
    for (extent, steps) in zip(extents, zip(source, target)) where extent != 1 {
      append(Axis(extent: extent, source: steps.0, target: steps.1))
    }
    if axes.isEmpty { axes = [Axis(extent: 1, source: 1, target: 1)] }
  }

  /// The copy into a dense row-major result of shape `extents`.
  init(dense extents: [Int], source: [Int], from sourceStart: Int = 0) {
    self.init(
      extents, source: source, from: sourceStart,
      target: extents.contains(0) ? extents : Self.denseStrides(extents))
  }

  private static func denseStrides(_ extents: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: extents.count)
    for axis in extents.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * extents[axis + 1]
    }
    return strides
  }

  private mutating func append(_ axis: Axis) {
    if let last = axes.last, last.source == axis.source * axis.extent,
      last.target == axis.target * axis.extent
    {
      axes[axes.count - 1] = Axis(
        extent: last.extent * axis.extent, source: axis.source, target: axis.target)
    } else {
      axes.append(axis)
    }
  }

  /// Whether it moves `count` elements to where they were.
  func isIdentity(of count: Int) -> Bool {
    elementCount == count && sourceStart == 0 && targetStart == 0 && axes.count == 1
      && (axes[0].extent == 1 || axes[0].source == 1 && axes[0].target == 1)
  }

  /// Copies, on several threads when there is much to copy.
  func run<Word: BitwiseCopyable>(
    from source: UnsafePointer<Word>?, to target: UnsafeMutablePointer<Word>?,
    _ arguments: borrowing KernelArguments
  ) {
    guard elementCount > 0, let source, let target else { return }
    let outer = axes[0]
    let grain = max(1, Self.elementsPerChunk / max(elementCount / outer.extent, 1))
    arguments.parallel(outer.extent, grain: grain) { range in
      let s = source + sourceStart + range.lowerBound * outer.source
      let t = target + targetStart + range.lowerBound * outer.target
      copy(0, extent: range.count, s, t)
    }
  }

  /// Elements that are worth a chunk of their own on another thread.
  private static let elementsPerChunk = 1 << 16

  private func copy<Word: BitwiseCopyable>(
    _ level: Int, extent: Int, _ source: UnsafePointer<Word>, _ target: UnsafeMutablePointer<Word>
  ) {
    let axis = axes[level]
    guard level + 1 == axes.count else {
      let next = axes[level + 1].extent
      for index in 0..<extent {
        copy(level + 1, extent: next, source + index * axis.source, target + index * axis.target)
      }
      return
    }
    if axis.target == 1, axis.source == 1 {
      target.update(from: source, count: extent)
    } else if axis.target == 1, axis.source == 0 {
      target.update(repeating: source.pointee, count: extent)
    } else {
      for index in 0..<extent { target[index * axis.target] = source[index * axis.source] }
    }
  }
}
