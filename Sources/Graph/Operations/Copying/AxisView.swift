import TensorCore

/// A shape seen as three axes: what lies outside one axis, that axis, and what lies inside it.
struct AxisView: Sendable {
  let outer: Int
  let extent: Int
  let inner: Int

  /// - Parameter axis: in 0 ..< rank.
  init(_ shape: Shape, axis: Int) {
    outer = shape.dimensions[..<axis].reduce(1, *)
    extent = shape[axis]
    inner = shape.dimensions[(axis + 1)...].reduce(1, *)
  }

  /// The copy of the slices `range` of this view into slices `position...` of `other`, which agrees with
  /// it outside and inside the axis.
  func copy(_ range: Range<Int>, into other: AxisView, at position: Int) -> StridedCopy {
    StridedCopy(
      [outer, range.count * inner], source: [extent * inner, 1], from: range.lowerBound * inner,
      target: [other.extent * inner, 1], to: position * inner)
  }
}
