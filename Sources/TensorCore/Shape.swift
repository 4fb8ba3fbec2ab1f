/// The extent of a tensor along each axis, outermost first. A scalar has rank 0 and one element.
///
/// A shape that exists is sound: no negative extent, and neither the number of elements nor eight times
/// that number (the bytes of the widest element) overflows.
public struct Shape: Hashable, Sendable {
  /// The extent of each axis, outermost first; empty for a scalar.
  public let dimensions: [Int]
  /// The product of the dimensions.
  public let elementCount: Int

  /// - Throws: ``ApusError`` of kind `malformedModel` when a dimension is negative, the rank is over
  ///   ``maximumRank``, or the bytes would not fit an address space of 2⁶² bytes.
  public init(_ dimensions: [Int]) throws(ApusError) {
    guard dimensions.count <= Self.maximumRank else {
      throw ApusError(
        .malformedModel, "a tensor of rank \(dimensions.count)", expected: "at most \(Self.maximumRank)")
    }
    var count = 1
    var bound = 1
    for dimension in dimensions {
      guard dimension >= 0 else {
        throw ApusError(.malformedModel, "shape \(dimensions) has the negative dimension \(dimension)")
      }
      // A zero elsewhere in the shape must not hide an overflow of the other dimensions.
      let (next, overflow) = bound.multipliedReportingOverflow(by: Swift.max(dimension, 1))
      guard !overflow, next <= Self.maximumElementCount else {
        throw ApusError(.malformedModel, "shape \(dimensions) has more elements than memory can hold")
      }
      bound = next
      count = dimension == 0 ? 0 : count * dimension
    }
    self.dimensions = dimensions
    self.elementCount = count
  }

  /// The shape of a scalar.
  public static let scalar = Shape(sound: [], elementCount: 1)

  /// A vector of a length that is known to be sound, such as the count of an array.
  public static func vector(_ count: Int) -> Shape { Shape(sound: [count], elementCount: count) }

  private init(sound dimensions: [Int], elementCount: Int) {
    self.dimensions = dimensions
    self.elementCount = elementCount
  }

  /// The most axes that a shape may have.
  public static let maximumRank = 64
  static let maximumElementCount = 1 << 48

  /// The number of axes.
  public var rank: Int { dimensions.count }

  /// The extent of an axis from 0 to below ``rank``.
  public subscript(axis: Int) -> Int { dimensions[axis] }

  /// The elements between neighbours along each axis of a dense row-major layout.
  public var strides: [Int] {
    var strides = [Int](repeating: 1, count: rank)
    for axis in stride(from: rank - 2, through: 0, by: -1) {
      strides[axis] = strides[axis + 1] * Swift.max(dimensions[axis + 1], 1)
    }
    return strides
  }

  /// The axis that `axis` names, where −1 is the last one.
  /// - Throws: ``ApusError`` when there is no such axis.
  public func axis(_ axis: Int) throws(ApusError) -> Int {
    guard axis >= -rank, axis < rank else {
      throw ApusError(.malformedModel, "axis \(axis) of shape \(self)", expected: "one of its \(rank) axes")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// The shape of an element-wise operation's result by NumPy's broadcasting rule.
  /// - Throws: ``ApusError`` when two dimensions differ and neither is 1.
  public func broadcast(with other: Shape) throws(ApusError) -> Shape {
    let rank = Swift.max(self.rank, other.rank)
    var result: [Int] = []
    for axis in 0..<rank {
      let a = axis - (rank - self.rank) >= 0 ? dimensions[axis - (rank - self.rank)] : 1
      let b = axis - (rank - other.rank) >= 0 ? other.dimensions[axis - (rank - other.rank)] : 1
      guard a == b || a == 1 || b == 1 else {
        throw ApusError(.malformedModel, "shapes \(self) and \(other) do not broadcast")
      }
      result.append(a == 1 ? b : a)
    }
    return try Shape(result)
  }
}

extension Shape: CustomStringConvertible {
  /// The extents in brackets.
  public var description: String { "\(dimensions)" }
}
