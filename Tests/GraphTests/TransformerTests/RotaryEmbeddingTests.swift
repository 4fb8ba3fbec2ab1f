import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

/// Rotary positions: the angles, and heads turned by them.
@Suite struct RotaryEmbeddingTests {
  /// Of products in float32, far behind the first position too.
  @Test(arguments: [(12, Float(10_000)), (64, 160_000), (2, 5), (8, 1)])
  func anglesAreThoseOfThePositions(_ width: Int, _ base: Float) throws {
    let positions = [Int32(0), 1, 2, 511, 8191, 1_000_003]
    let result = try evaluate(RotaryAngles(headWidth: width, base: base), [integers(positions)])
    #expect(result.shape.dimensions == [positions.count, width])
    let found = try result.elements(of: Float.self)
    for (row, position) in positions.enumerated() {
      for pair in 0..<width / 2 {
        let exact = pow(Double(base), -Double(2 * pair) / Double(width))
        let exponent = Float(2 * pair) / Float(width)
        let frequency: Float = 1 / powf(base, exponent)
        #expect(abs(Double(frequency) - exact) <= 3e-7 * exact)
        let angle = Double(Float(position) * frequency)
        let cosine = Double(found[row * width + pair])
        let sine = Double(found[row * width + width / 2 + pair])
        #expect(abs(cosine - cos(angle)) <= 1.2e-7)
        #expect(abs(sine - sin(angle)) <= 1.2e-7)
      }
    }
  }

  /// Whole vectors, their rests, and columns behind the heads, which are not read.
  @Test(arguments: [(1, 2, 0), (2, 12, 24), (3, 16, 16), (2, 40, 1), (1, 64, 64)])
  func headsAreTurned(_ heads: Int, _ width: Int, _ further: Int) throws {
    var random = SeededRandom()
    let (rows, half, columns) = (37, width / 2, heads * width + further)
    let x = random.floats(rows * columns)
    let angles = random.floats(rows * width)
    let operands = [try floats(x, [rows, columns]), try floats(angles, [rows, width])]
    let operation = RotaryEmbedding(heads: heads, headWidth: width)
    let result = try evaluate(operation, operands)
    #expect(result.shape.dimensions == [rows, heads * width])
    var wanted: [Float] = []
    for row in 0..<rows {
      let turn = Array(angles[row * width..<(row + 1) * width])
      for head in 0..<heads {
        let first = row * columns + head * width
        let (a, b) = (Array(x[first..<first + half]), Array(x[first + half..<first + width]))
        for index in 0..<half { wanted.append(a[index] * turn[index] - b[index] * turn[half + index]) }
        for index in 0..<half { wanted.append(b[index] * turn[index] + a[index] * turn[half + index]) }
      }
    }
    let found = try result.elements(of: Float.self)
    #expect(found == wanted)
    let shared = try evaluate(operation, operands, threads: 4)
    #expect(try shared.elements(of: Float.self) == found)
  }

  /// Products of queries and keys depend on their distance alone.
  @Test func distancesCount() throws {
    var random = SeededRandom()
    let (query, key) = (random.floats(8), random.floats(8))
    func product(_ positions: [Int32]) throws -> Float {
      let angles = try evaluate(RotaryAngles(headWidth: 8, base: 100), [integers(positions)])
      let rows = try floats(query + key, [2, 8])
      let turned = try evaluate(RotaryEmbedding(heads: 1, headWidth: 8), [rows, angles])
      let numbers = try turned.elements(of: Float.self)
      return zip(numbers[..<8], numbers[8...]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (near, far, other) = (try product([0, 3]), try product([50, 53]), try product([3, 0]))
    #expect(abs(near - far) < 1e-4)
    #expect(abs(near - other) > 1e-2)
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let positions = try integers([Int32(0), 1])
    for width in [0, 3, -2] {
      let error = try refusal(RotaryAngles(headWidth: width, base: 10), [positions])
      #expect(error.problem == "heads of width \(width)")
    }
    for base in [0, -1, Float.infinity, .nan] {
      let error = try refusal(RotaryAngles(headWidth: 4, base: base), [positions])
      #expect(error.expected == "finite numbers above 0")
    }
    let rows = try floats([Float](repeating: 0, count: 16), [2, 8])
    let angles = try floats([Float](repeating: 0, count: 8), [2, 4])
    func refused(_ heads: Int, _ width: Int, _ angles: Tensor) throws -> ApusError {
      try refusal(RotaryEmbedding(heads: heads, headWidth: width), [rows, angles])
    }
    let (narrow, odd, many) = (
      try refused(3, 4, angles), try refused(1, 3, angles), try refused(.max, 4, angles)
    )
    #expect(narrow.expected == "12 columns or more")
    #expect(odd.problem == "1 heads of width 3")
    #expect(many.problem.contains("heads of width 4"))
    let other = try refused(1, 8, angles)
    #expect(other.problem.contains("input 1 (the angles)") && other.expected == "[2, 8]")
  }
}
