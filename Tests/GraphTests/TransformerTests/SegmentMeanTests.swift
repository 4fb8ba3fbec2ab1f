import Graph
import TensorCore
import TestSupport
import Testing

/// Means of segments of rows, and the bounds that are refused.
@Suite struct SegmentMeanTests {
  @Test func meansAreThoseOfTheSegmentsRows() throws {
    let x = try floats([1, 10, 3, 20, 5, 60, 7, 0], [4, 2])
    let result = try evaluate(SegmentMean(), [x, integers([Int32(0), 1, 1, 4])])
    #expect(result.shape.dimensions == [3, 2])
    #expect(try result.elements(of: Float.self) == [1, 10, 0, 0, 5, 80.0 / 3])
  }

  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom()
    let x = try floats(random.floats(600 * 40), [600, 40])
    let bounds = try integers((0...60).map { Int32($0 * 10) })
    let one = try evaluate(SegmentMean(), [x, bounds])
    let four = try evaluate(SegmentMean(), [x, bounds], threads: 4)
    #expect(try one.elements(of: Float.self) == four.elements(of: Float.self))
  }

  @Test func noSegmentsGiveNoRows() throws {
    let result = try evaluate(SegmentMean(), [floats([1, 2], [1, 2]), integers([Int32(0)])])
    #expect(result.shape.dimensions == [0, 2])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2, 3, 4], [2, 2])
    for bounds in [[0, 3], [-1, 2], [0, 2, 1], [.min, .max]] as [[Int32]] {
      let error = try refusal(SegmentMean(), [x, integers(bounds)])
      #expect(error.kind == .argument && error.problem.contains("segment bound"), "\(bounds)")
    }
    #expect(try refusal(SegmentMean(), [x, integers([Int32]())]).problem.contains("[0]"))
    #expect(try refusal(SegmentMean(), [x, integers([Int64(0)])]).problem.contains("the segments"))
    #expect(try refusal(SegmentMean(), [floats([1]), integers([Int32(0)])]).expected == "rank 2")
    #expect(try refusal(SegmentMean(), [x]).expected == "2")
  }
}
