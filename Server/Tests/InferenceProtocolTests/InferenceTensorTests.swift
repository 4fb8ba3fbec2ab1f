import Apus
import InferenceProtocol
import Testing

@Suite struct InferenceTensorTests {
  @Test func bytesAreLittleEndian() throws {
    let tensor = try InferenceTensor("x", [1, -2], .vector(2))
    #expect(Array(tensor.bytes) == [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
  }

  @Test func textsStandBehindTheirLengths() throws {
    let tensor = try InferenceTensor("x", ["", "né"], InferenceShape([2, 1]))
    #expect(Array(tensor.bytes) == [0, 0, 0, 0, 3, 0, 0, 0, 0x6E, 0xC3, 0xA9])
    #expect(tensor.elements.map { String(decoding: $0, as: UTF8.self) } == ["", "né"])
  }

  @Test(arguments: [
    [], [2, 0, 0, 0, 65], [1, 0, 0], [1, 0, 0, 0, 65, 0], [255, 255, 255, 255, 65],
    [1, 0, 0, 0, 65, 0, 0, 0, 0],
  ])
  func elementsHaveToAddUp(bytes: [UInt8]) throws {
    #expect(throws: ApusError.self) {
      try InferenceTensor("x", .bytes, .vector(1), bytes: bytes[...])
    }
  }

  @Test func bytesHaveToBeThoseOfTheShape() throws {
    let shape = try InferenceShape([2, 3])
    for datatype in InferenceDatatype.allCases {
      guard let size = datatype.byteCount else { continue }
      let bytes = [UInt8](repeating: 0, count: 6 * size)
      #expect(try InferenceTensor("x", datatype, shape, bytes: bytes[...]).bytes.count == bytes.count)
      #expect(throws: ApusError.self) {
        try InferenceTensor("x", datatype, shape, bytes: bytes.dropLast())
      }
    }
    #expect(throws: ApusError.self) {
      try InferenceTensor("x", .bool, .vector(1), bytes: [2])
    }
  }

  @Test func shapesCannotOverflow() throws {
    #expect(try InferenceShape([]).elementCount == 1)
    #expect(try InferenceShape([0, 1 << 39]).elementCount == 0)
    for extents in [
      [-1], [2, -3], [1 << 32, 1 << 32], [Int.max, 2], [0, Int.max, Int.max],
      [Int](repeating: 1, count: 33), [Int.min],
    ] {
      #expect(throws: ApusError.self) { try InferenceShape(extents) }
    }
  }
}
