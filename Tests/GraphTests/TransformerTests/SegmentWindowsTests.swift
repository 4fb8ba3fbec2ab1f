import Graph
import TensorCore
import TestSupport
import Testing

/// Rows with their neighbours of the same segment side by side.
@Suite struct SegmentWindowsTests {
  @Test func neighboursAreThoseOfTheSegment() throws {
    let x = try floats([1, 2, 3, 4, 5, 6], [6, 1])
    // The first row and the last are of no segment.
    let bounds = try integers([Int32(1), 1, 4, 5])
    let three = try evaluate(SegmentWindows(size: 3), [x, bounds])
    #expect(three.shape.dimensions == [6, 3])
    let wanted: [Float] = [0, 0, 0, 0, 2, 3, 2, 3, 4, 3, 4, 0, 0, 5, 0, 0, 0, 0]
    #expect(try three.elements(of: Float.self) == wanted)
    let pairs = try floats([1, 2, 3, 4], [2, 2])
    let five = try evaluate(SegmentWindows(size: 5), [pairs, integers([Int32(0), 2])])
    let rows: [Float] = [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]
    #expect(try five.elements(of: Float.self) == rows)
    let one = try evaluate(SegmentWindows(size: 1), [pairs, integers([Int32(0), 1, 2])])
    #expect(try one.elements(of: Float.self) == [1, 2, 3, 4])
  }

  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom()
    let x = try floats(random.floats(600 * 40), [600, 40])
    let bounds = try integers((0...60).map { Int32($0 * 10) })
    let one = try evaluate(SegmentWindows(size: 3), [x, bounds])
    let four = try evaluate(SegmentWindows(size: 3), [x, bounds], threads: 4)
    #expect(try one.elements(of: Float.self) == four.elements(of: Float.self))
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2, 3, 4], [2, 2])
    for size in [0, -1, 2] {
      let error = try refusal(SegmentWindows(size: size), [x, integers([Int32(0), 2])])
      #expect(error.problem.contains("windows of \(size) rows"))
    }
    let error = try refusal(SegmentWindows(size: 3), [x, integers([Int32(0), 3])])
    #expect(error.kind == .argument && error.problem.contains("segment bound"))
    #expect(try refusal(SegmentWindows(size: 3), [x, integers([Int32]())]).problem.contains("[0]"))
  }
}
