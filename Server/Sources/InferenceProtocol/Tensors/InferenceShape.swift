import Apus

/// The extents of a tensor. One that exists is sound: no extent is negative, and the bytes of its elements can be counted.
public struct InferenceShape: Sendable, Hashable {
  /// The extent of each axis, outermost first; empty for a scalar.
  public let extents: [Int]
  /// The product of the extents.
  public let elementCount: Int

  /// The most axes there may be.
  public static let maximumRank = 32
  /// The most elements there may be, whether or not another extent is 0.
  public static let maximumElementCount = 1 << 40

  /// - Throws: ``ApusError`` for negative extents, and more of them or greater ones than any memory holds.
  public init(_ extents: [Int]) throws(ApusError) {
    guard extents.count <= Self.maximumRank else {
      throw ApusError(
        .argument, "a shape of \(extents.count) extents; at most \(Self.maximumRank) are taken")
    }
    var product = 1
    for extent in extents {
      guard extent >= 0 else { throw ApusError(.argument, "shape \(extents) has a negative extent") }
      let (next, overflow) = product.multipliedReportingOverflow(by: max(extent, 1))
      guard !overflow, next <= Self.maximumElementCount else {
        throw ApusError(.argument, "shape \(extents) has more elements than memory can hold")
      }
      product = next
    }
    self.extents = extents
    elementCount = extents.contains(0) ? 0 : product
  }

  /// A shape of rank 1.
  public static func vector(_ count: Int) -> Self { Self(sound: [count], count) }

  private init(sound extents: [Int], _ elementCount: Int) {
    (self.extents, self.elementCount) = (extents, elementCount)
  }
}

extension InferenceShape: CustomStringConvertible {
  /// The extents in brackets.
  public var description: String { "\(extents)" }
}
