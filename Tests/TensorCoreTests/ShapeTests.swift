import TensorCore
import Testing

@Suite struct ShapeTests {
  @Test func counts() throws {
    #expect(try Shape([]).elementCount == 1)
    #expect(try Shape([2, 3, 4]).elementCount == 24)
    #expect(try Shape([2, 0, 4]).elementCount == 0)
    #expect(try Shape([2, 3, 4]).strides == [12, 4, 1])
  }

  @Test(arguments: [[-1], [2, -3], [1 << 40, 1 << 40], [0, 1 << 62, 4], Array(repeating: 1, count: 65)])
  func refused(_ dimensions: [Int]) {
    #expect(throws: ApusError.self) { try Shape(dimensions) }
  }

  @Test func broadcasts() throws {
    #expect(try Shape([3, 1]).broadcast(with: Shape([2])) == Shape([3, 2]))
    #expect(try Shape([0, 1]).broadcast(with: Shape([2])) == Shape([0, 2]))
    #expect(try Shape.scalar.broadcast(with: Shape([4, 5])) == Shape([4, 5]))
    #expect(throws: ApusError.self) { try Shape([3]).broadcast(with: Shape([2])) }
  }

  @Test func axes() throws {
    #expect(try Shape([2, 3]).axis(-1) == 1)
    #expect(throws: ApusError.self) { try Shape([2, 3]).axis(2) }
    #expect(throws: ApusError.self) { try Shape.scalar.axis(0) }
  }
}

@Suite struct QuantizationTests {
  @Test(arguments: [0, -1, Float.nan, Float.infinity])
  func scalesArePositiveAndFinite(_ scale: Float) {
    #expect(throws: ApusError.self) { try Quantization(scales: [scale], zeroPoints: [0]) }
  }

  @Test func countsAgree() {
    #expect(throws: ApusError.self) { try Quantization(scales: [], zeroPoints: []) }
    #expect(throws: ApusError.self) { try Quantization(scales: [1, 2], zeroPoints: [0]) }
  }
}
