import Graph
import TensorCore
import Testing

/// Elements and slices that indices name, with those that count from the end; values by hand from the definitions.
struct ElementIndexTests {
  private func table() throws -> TestOperand { try .given((0..<6).map { Float($0) }, [2, 3]) }

  @Test func elementsAlongAnAxis() throws {
    let rows = try result(of: GatherElements(axis: 0), [table(), .given([1, 0, -1] as [Int64], [1, 3])])
    #expect(rows.shape.dimensions == [1, 3])
    #expect(try rows.elements(of: Float.self) == [3, 1, 5])
    let columns = try result(
      of: GatherElements(axis: -1), [table(), .given([2, -3, 0, 1] as [Int32], [2, 2])])
    #expect(try columns.elements(of: Float.self) == [2, 0, 3, 4])
  }

  @Test func elementsAreReplaced() throws {
    let found = try result(
      of: ScatterElements(axis: 1),
      [table(), .given([0, -1, 1, 1] as [Int64], [2, 2]), .given([10, 11, 12, 13] as [Float], [2, 2])])
    // The last of two for one place counts.
    #expect(try found.elements(of: Float.self) == [10, 1, 11, 3, 13, 5])
  }

  @Test func slicesAreReplaced() throws {
    let found = try result(
      of: TensorScatterUpdate(),
      [table(), .given([1, 0] as [Int64], [2, 1]), .given([9, 8, 7, 6, 5, 4] as [Float], [2, 3])])
    #expect(try found.elements(of: Float.self) == [6, 5, 4, 9, 8, 7])
  }

  @Test func indicesCountFromTheEndWhereTheyMay() throws {
    let found = try result(
      of: Gather(axis: 1, countsFromEnd: true), [table(), .given([-1, 0, -3] as [Int64], [3])])
    #expect(try found.elements(of: Float.self) == [2, 0, 0, 5, 3, 3])
    for index in [-4, 3] as [Int64] {
      #expect(throws: ApusError.self) {
        try result(of: Gather(axis: 1, countsFromEnd: true), [table(), .given([index], [1])])
      }
      #expect(throws: ApusError.self) {
        try result(of: GatherElements(axis: 1), [table(), .given([index], [1, 1])])
      }
    }
    #expect(throws: ApusError.self) {
      try result(of: Gather(axis: 1), [table(), .given([-1] as [Int64], [1])])
    }
  }

  @Test func shapesThatDoNotFitAreRefused() throws {
    #expect(throws: ApusError.self) {
      try result(of: GatherElements(axis: 0), [table(), .given([0, 0] as [Int64], [2])])
    }
    #expect(throws: ApusError.self) {
      try result(of: GatherElements(axis: 0), [table(), .given([0, 0, 0, 0] as [Int64], [1, 4])])
    }
    #expect(throws: ApusError.self) {
      try result(
        of: TensorScatterUpdate(),
        [table(), .given([0] as [Int64], [1, 1]), .given([1, 2] as [Float], [1, 2])])
    }
  }

  @Test func remaindersHaveTheSignOfTheDividend() throws {
    let whole = try result(
      of: Remainder(), [.given([7, -7, 7] as [Int32], [3]), .given([3, 3, -3] as [Int32], [3])])
    #expect(try whole.elements(of: Int32.self) == [1, -1, 1])
    let real = try result(
      of: Remainder(), [.given([5.5, -5.5] as [Float], [2]), .given([2] as [Float], [1])])
    #expect(try real.elements(of: Float.self) == [1.5, -1.5])
  }

  @Test func extremesReachInfinityWhereTheyMay() throws {
    let lowest = try TestOperand.given([-.infinity, -.infinity] as [Float], [1, 2])
    let finite = try result(of: Reduce(.max, axes: [1], keepDimensions: false), [lowest])
    #expect(try finite.elements(of: Float.self) == [-.greatestFiniteMagnitude])
    let found = try result(
      of: Reduce(.max, axes: [1], keepDimensions: false, reachesInfinity: true), [lowest])
    #expect(try found.elements(of: Float.self) == [-.infinity])
  }

  /// Of Abramowitz and Stegun 1964, table 7.1.
  @Test func theErrorFunction() throws {
    let found = try result(of: UnaryMath(.erf), [.given([0, 0.5, 1, 2, -1] as [Float], [5])])
    for (value, expected) in zip(
      try found.elements(of: Float.self), [0, 0.5204998778, 0.8427007929, 0.9953222650, -0.8427007929])
    {
      #expect(abs(value - Float(expected)) < 1e-6)
    }
  }
}
