import Graph
import TensorCore
import TestSupport
import Testing

/// Reductions of windows are those of the definition: the input is spread and padded with the first number, and every window
/// is gone over in the order of its axes.
@Suite struct ReduceWindowTests {
  private static let functions: [ReduceWindow.Kind: @Sendable (Int32, Int32) -> Int32] = [
    .sum: { $0 &+ $1 }, .product: { $0 &* $1 }, .min: { min($0, $1) }, .max: { max($0, $1) },
  ]

  private static func axis(_ random: inout SeededRandom) -> WindowAxis {
    var axis = WindowAxis()
    axis.size = Int.random(in: 1...3, using: &random)
    axis.stride = Int.random(in: 1...3, using: &random)
    axis.inputStep = Int.random(in: 0...3, using: &random) == 0 ? 2 : 1
    axis.windowStep = Int.random(in: 1...2, using: &random)
    axis.padding = (Int.random(in: -1...2, using: &random), Int.random(in: -1...2, using: &random))
    return axis
  }

  /// The elements with others between, before and behind them, along one axis after another.
  private static func spread(_ values: [Int32], _ shape: [Int], _ axes: [WindowAxis], _ initial: Int32) -> (
    [Int32], [Int]
  ) {
    var (values, shape) = (values, shape)
    for (index, axis) in axes.enumerated() {
      let extent = shape[index]
      let inner = shape[(index + 1)...].reduce(1, *)
      let whole =
        (extent == 0 ? 0 : (extent - 1) * axis.inputStep + 1) + axis.padding.before + axis.padding.after
      var result: [Int32] = []
      for outer in 0..<shape[..<index].reduce(1, *) {
        for place in 0..<whole {
          let inside = place - axis.padding.before
          let isThere = inside >= 0 && inside % axis.inputStep == 0 && inside / axis.inputStep < extent
          let start = (outer * extent + (isThere ? inside / axis.inputStep : 0)) * inner
          result += isThere ? Array(values[start..<(start + inner)]) : Array(repeating: initial, count: inner)
        }
      }
      (values, shape[index]) = (result, whole)
    }
    return (values, shape)
  }

  @Test(arguments: 0..<300)
  func windowsOfRandomShapes(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let shape = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 2...6, using: &random) }
    let axes = shape.map { _ in Self.axis(&random) }
    let kind = Self.functions.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random) ?? .sum
    let combine = try #require(Self.functions[kind])
    let values = (0..<shape.reduce(1, *)).map { _ in Int32.random(in: -9...9, using: &random) }
    let initial = Int32.random(in: -2...2, using: &random)
    let (padded, whole) = Self.spread(values, shape, axes, initial)
    let counts = zip(axes, whole).map { axis, extent in
      max(
        0,
        (extent - ((axis.size - 1) * axis.windowStep + 1)) / axis.stride
          + (extent >= (axis.size - 1) * axis.windowStep + 1 ? 1 : 0))
    }
    let found = try evaluate(
      ReduceWindow(kind, axes: axes), [integers(values, shape), integers([initial], [])])
    #expect(found.shape.dimensions == counts, "seed \(seed)")
    var expected: [Int32] = []
    forEach(counts) { window in
      var total = initial
      forEach(axes.map(\.size)) { element in
        let place = axes.indices.reduce(0) {
          $0 * whole[$1] + window[$1] * axes[$1].stride + element[$1] * axes[$1].windowStep
        }
        total = combine(total, padded[place])
      }
      expected.append(total)
    }
    #expect(try found.elements(of: Int32.self) == expected, "seed \(seed)")
    let floating = try evaluate(
      ReduceWindow(kind, axes: axes), [floats(values.map(Float.init), shape), floats([Float(initial)], [])])
    #expect(try floating.elements(of: Float.self) == expected.map(Float.init), "seed \(seed)")
  }

  private func forEach(_ extents: [Int], _ body: ([Int]) -> Void) {
    for number in 0..<extents.reduce(1, *) {
      var rest = number
      var place = [Int](repeating: 0, count: extents.count)
      for axis in extents.indices.reversed() {
        (rest, place[axis]) = rest.quotientAndRemainder(dividingBy: extents[axis])
      }
      body(place)
    }
  }

  @Test func whatCannotBeIsRefused() throws {
    let x = try floats([1, 2, 3], [3])
    let zero = try floats([0], [])
    func refused(_ change: (inout WindowAxis) -> Void) -> ApusError? {
      var axis = WindowAxis()
      change(&axis)
      return #expect(throws: ApusError.self) { try evaluate(ReduceWindow(.sum, axes: [axis]), [x, zero]) }
    }
    for number in [0, -1, Int.max, Int.min] {
      #expect(refused { $0.size = number }?.kind == .malformedModel)
      #expect(refused { $0.stride = number }?.kind == .malformedModel)
      #expect(refused { $0.inputStep = number }?.kind == .malformedModel)
      #expect(refused { $0.windowStep = number }?.kind == .malformedModel)
    }
    #expect(refused { $0.padding = (Int.max, Int.max) }?.kind == .malformedModel)
    #expect(refused { $0.padding = (-4, 0) }?.kind == .malformedModel)
    #expect(throws: ApusError.self) { try evaluate(ReduceWindow(.sum, axes: []), [x, zero]) }
    #expect(throws: ApusError.self) { try evaluate(ReduceWindow(.any, axes: [WindowAxis()]), [x, zero]) }
  }
}
