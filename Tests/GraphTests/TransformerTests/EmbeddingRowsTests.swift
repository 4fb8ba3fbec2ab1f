import Graph
import TensorCore
import TestSupport
import Testing

/// Rows looked up in a table: their elements, and the ids and tables that are refused.
@Suite struct EmbeddingRowsTests {
  @Test(arguments: [DataType.float32, .float16, .bfloat16])
  func rowsOfEveryFloatType(_ type: DataType) throws {
    let table = try stored([0, 1, 2, 10, -11, 12, 0.5, -0.25, 96], type, [3, 3])
    let result = try evaluate(EmbeddingRows(), [table, integers([Int32(2), 0, 2, 1], [2, 2])])
    #expect(result.type == TensorType(.float32, try Shape([2, 2, 3])))
    #expect(try result.elements(of: Float.self) == [0.5, -0.25, 96, 0, 1, 2, 0.5, -0.25, 96, 10, -11, 12])
  }

  @Test func rowsOfInt8AreMultipliedByTheirScales() throws {
    let codes = try Tensor([1, -127, 4, 0, 127, -2] as [Int8], shape: Shape([3, 2]))
    func rows(_ quantization: Quantization?) throws -> Tensor {
      try codes.reinterpreted(as: TensorType(.int8, codes.shape, quantization: quantization))
    }
    let ids = try integers([Int32(2), 0, 1])
    let byRow = try rows(Quantization(scales: [0.5, 3, 0.25], zeroPoints: [0, 0, 0], axis: 0))
    let found = try evaluate(EmbeddingRows(), [byRow, ids])
    #expect(found.type == TensorType(.float32, try Shape([3, 2])))
    #expect(try found.elements(of: Float.self) == [31.75, -0.5, 0.5, -63.5, 12, 0])
    let one = try evaluate(EmbeddingRows(), [rows(Quantization(scales: [2], zeroPoints: [0])), ids])
    #expect(try one.elements(of: Float.self) == [254, -4, 2, -254, 8, 0])
    let wrong = [
      nil, try Quantization(scales: [1, 1, 1], zeroPoints: [0, 1, 0], axis: 0),
      try Quantization(scales: [1, 1], zeroPoints: [0, 0], axis: 1),
    ]
    for quantization in wrong {
      let error = try refusal(EmbeddingRows(), [rows(quantization), ids])
      #expect(error.kind == .unsupportedModel && error.problem.contains("a table"))
    }
  }

  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom()
    let table = try floats(random.floats(40 * 100), [40, 100])
    let ids = try integers((0..<500).map { Int32($0 * 7 % 40) })
    let one = try evaluate(EmbeddingRows(), [table, ids])
    let four = try evaluate(EmbeddingRows(), [table, ids], threads: 4)
    #expect(try one.elements(of: Float.self) == four.elements(of: Float.self))
    let row = try one.elements(of: Float.self)[300..<400]
    #expect(try Array(row) == Array(table.elements(of: Float.self)[2100..<2200]))
  }

  @Test func noIdsGiveNoRows() throws {
    let result = try evaluate(EmbeddingRows(), [floats([1, 2], [1, 2]), integers([Int32](), [0])])
    #expect(result.shape.dimensions == [0, 2])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let table = try floats([1, 2, 3, 4], [2, 2])
    for id in [-1, 2, .max, .min] as [Int32] {
      let error = try refusal(EmbeddingRows(), [table, integers([0, id])])
      #expect(error.kind == .argument && error.problem == "the id \(id)" && error.expected == "0 ..< 2")
    }
    #expect(try refusal(EmbeddingRows(), [table, integers([Int64(1)])]).problem.contains("the ids"))
    #expect(try refusal(EmbeddingRows(), [floats([1, 2]), integers([Int32(0)])]).problem.contains("[2]"))
    #expect(try refusal(EmbeddingRows(), [integers([Int32(0)]), table]).problem.contains("the table"))
    #expect(try refusal(EmbeddingRows(), [table]).expected == "2")
  }
}
