import Graph
import TensorCore
import TestSupport
import Testing

/// Windows over images: their geometry, pooling against nested loops, and what is refused.
@Suite struct PoolingTests {
  @Test func windowsOfTheTwoModes() throws {
    let same = try SpatialWindow(
      inputSize: 224, filterSize: 3, stride: 2, padding: .same, axis: .height)
    #expect((same.outputSize, same.padBefore, same.padAfter) == (112, 0, 1))
    let valid = try SpatialWindow(
      inputSize: 7, filterSize: 3, stride: 2, dilation: 2, padding: .valid, axis: .width)
    #expect((valid.outputSize, valid.padBefore, valid.padAfter) == (2, 0, 0))
    let explicit = try SpatialWindow(
      inputSize: 5, filterSize: 3, padding: .explicit(top: 1, bottom: 2, left: 0, right: 0), axis: .height)
    #expect((explicit.outputSize, explicit.padBefore, explicit.padAfter) == (6, 1, 2))
  }

  /// The taps that ``SpatialWindow/taps(_:)`` gives are those whose positions are in the image.
  @Test(arguments: 0..<100)
  func tapsAreThoseOnTheImage(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pads = (0..<4).map { _ in Int.random(in: 0...4, using: &random) }
    let padding =
      Bool.random(using: &random)
      ? Padding.same : .explicit(top: pads[0], bottom: pads[1], left: pads[2], right: pads[3])
    let filter = Int.random(in: 1...5, using: &random)
    let dilation = Int.random(in: 1...3, using: &random)
    let window = try SpatialWindow(
      inputSize: (filter - 1) * dilation + Int.random(in: 1...9, using: &random), filterSize: filter,
      stride: Int.random(in: 1...4, using: &random), dilation: dilation, padding: padding, axis: .width)
    for output in 0..<window.outputSize {
      let inside = (0..<filter).filter { (0..<window.inputSize).contains(window.position(output, tap: $0)) }
      #expect(Array(window.taps(output)) == inside, "seed \(seed)")
    }
  }

  @Test func geometryThatCannotBeIsRefused() throws {
    let attempts: [(Int, Int, Int, Int, Padding)] = [
      (5, 0, 1, 1, .same), (5, 3, 0, 1, .same), (5, 3, 1, 0, .valid), (5, 6, 1, 1, .valid),
      (5, 3, 1, 3, .valid), (5, -1, 1, 1, .same), (5, 1 << 40, 1, 1 << 40, .same),
      (5, 3, 1, 1, .explicit(top: -1, bottom: 0, left: 0, right: 0)), (0, 1, 1, 1, .valid),
      (5, 3, 1, 1, .explicit(top: .max, bottom: .max, left: 0, right: 0)),
    ]
    for (input, filter, stride, dilation, padding) in attempts {
      #expect(throws: ApusError.self) {
        try SpatialWindow(
          inputSize: input, filterSize: filter, stride: stride, dilation: dilation, padding: padding,
          axis: .height)
      }
    }
  }

  @Test func meansCountOnlyTheImage() throws {
    let image = try floats([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1])
    let pool = Pool2D(
      .average, filterHeight: 2, filterWidth: 2, strideHeight: 2, strideWidth: 2, padding: .same)
    #expect(try evaluate(pool, [image]).elements(of: Float.self) == [3, 4.5, 7.5, 9])
    let greatest = Pool2D(
      .max, filterHeight: 2, filterWidth: 2, strideHeight: 1, strideWidth: 1, padding: .valid)
    #expect(try evaluate(greatest, [image]).elements(of: Float.self) == [5, 6, 8, 9])
  }

  /// Zeros of either sign, infinities and NaN among the numbers, and channels around the width of every vector.
  @Test(arguments: [Activation.none, .relu6])
  func theGreatestAreThoseThatLoopsFind(_ activation: Activation) throws {
    var random = SeededRandom()
    for channels in [1, 3, 4, 8, 15, 16, 17, 40] {
      var numbers = random.floats(5 * 6 * channels, -9...9)
      for special in [Float.nan, .infinity, -.infinity, 0, -0.0, -0.0, 0] {
        for _ in 0..<channels {
          numbers[Int.random(in: 0..<numbers.count, using: &random)] = special
        }
      }
      let pool = Pool2D(
        .max, filterHeight: 3, filterWidth: 2, strideHeight: 2, strideWidth: 1, padding: .same,
        activation: activation)
      let found = try evaluate(pool, [try floats(numbers, [1, 5, 6, channels])]).elements(of: Float.self)
      var wanted: [Float] = []
      for y in 0..<3 {
        for x in 0..<6 {
          for channel in 0..<channels {
            let rows = max(0, 2 * y - 1)..<min(5, 2 * y + 2)
            let taps = rows.flatMap { row in (x..<min(6, x + 2)).map { (row * 6 + $0) * channels + channel } }
            let greatest = taps.reduce(numbers[taps[0]]) { max($0, numbers[$1]) }
            wanted.append(
              activation == .none
                ? min(.infinity, max(-.infinity, greatest)) : min(6, max(0, greatest)))
          }
        }
      }
      #expect(
        found.map(\.bitPattern) == wanted.map(\.bitPattern), "\(channels) channels, seed \(random.seed)")
    }
  }

  /// Halves of a mean of signed bytes go away from zero, those of unsigned ones upward.
  @Test func wholeMeansRound() throws {
    let pool = Pool2D(
      .average, filterHeight: 1, filterWidth: 2, strideHeight: 1, strideWidth: 2, padding: .valid)
    let signed = try integers([Int8(1), 2, -1, -2], [1, 1, 4, 1], scale: 1)
    #expect(try evaluate(pool, [signed]).elements(of: Int8.self) == [2, -2])
    let unsigned = try integers([UInt8(1), 2, 254, 255], [1, 1, 4, 1], scale: 1)
    #expect(try evaluate(pool, [unsigned]).elements(of: UInt8.self) == [2, 255])
  }

  /// Windows of so many taps that sums need more than 16 bits too, and channels around the width of every vector.
  @Test(
    arguments: [Pool2D.Kind.average, .max], [(2, 1), (3, 3), (5, 7), (9, 15), (15, 17), (16, 16), (20, 21)])
  func bytesAreThoseThatLoopsFind(_ kind: Pool2D.Kind, window: (height: Int, width: Int)) throws {
    var random = SeededRandom()
    let (height, width) = (window.height + 2, window.width + 3)
    for channels in [1, 3, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130] {
      for activation in [Activation.none, .relu6] {
        let pool = Pool2D(
          kind, filterHeight: window.height, filterWidth: window.width, strideHeight: 2, strideWidth: 1,
          padding: .same, activation: activation)
        // Extremes, of which sums are greatest, and all others.
        let bytes = (0..<height * width * channels).map { _ in
          [0, 255, UInt8.random(in: 0...255, using: &random)][Int.random(in: 0..<3, using: &random)]
        }
        let shape = [1, height, width, channels]
        let signed = try integers(bytes.map { Int8(bitPattern: $0) }, shape, scale: 0.05, zeroPoint: -3)
        #expect(
          try evaluate(pool, [signed]).elements(of: Int8.self).map(Int32.init)
            == loops(pool, signed, bytes.map { Int32(Int8(bitPattern: $0)) }, isSigned: true),
          "\(channels) channels, seed \(random.seed)")
        let unsigned = try integers(bytes, shape, scale: 0.05, zeroPoint: 100)
        #expect(
          try evaluate(pool, [unsigned]).elements(of: UInt8.self).map(Int32.init)
            == loops(pool, unsigned, bytes.map(Int32.init), isSigned: false),
          "\(channels) channels, seed \(random.seed)")
      }
    }
  }

  /// TFLite's rules: halves of signed means away from zero, of unsigned ones upward; results in the activation's range.
  private func loops(_ pool: Pool2D, _ image: Tensor, _ x: [Int32], isSigned: Bool) throws -> [Int32] {
    let shape = image.shape.dimensions
    let (height, width, channels) = (shape[1], shape[2], shape[3])
    let range = try pool.activation.quantizedRange(for: image.type.quantization, image.dataType)
    let rows = try SpatialWindow(
      inputSize: height, filterSize: pool.filter.height, stride: 2, padding: .same, axis: .height)
    let columns = try SpatialWindow(
      inputSize: width, filterSize: pool.filter.width, padding: .same, axis: .width)
    var results: [Int32] = []
    for row in 0..<rows.outputSize {
      let ys = rows.taps(row).map { rows.position(row, tap: $0) }
      for column in 0..<columns.outputSize {
        let xs = columns.taps(column).map { columns.position(column, tap: $0) }
        for channel in 0..<channels {
          let taps = ys.flatMap { y in xs.map { x[(y * width + $0) * channels + channel] } }
          var result = taps.reduce(Int32.min, max)
          if pool.kind == .average {
            let sum = taps.reduce(0, +)
            let half = Int32(taps.count / 2)
            result = (sum > 0 || !isSigned ? sum + half : sum - half) / Int32(taps.count)
          }
          results.append(min(range.upperBound, max(range.lowerBound, result)))
        }
      }
    }
    return results
  }

  @Test func threadsDoNotChangeTheResult() throws {
    var random = SeededRandom()
    let image = try floats(random.floats(2 * 40 * 40 * 17), [2, 40, 40, 17])
    let pool = Pool2D(
      .average, filterHeight: 5, filterWidth: 3, strideHeight: 1, strideWidth: 1, padding: .same)
    let one = try evaluate(pool, [image], threads: 1).elements(of: Float.self)
    for threads in [2, 7] {
      #expect(try evaluate(pool, [image], threads: threads).elements(of: Float.self) == one)
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let pool = Pool2D(.max, filterHeight: 2, filterWidth: 2, strideHeight: 1, strideWidth: 1, padding: .valid)
    #expect(try refusal(pool, [try floats([1, 2])]).problem.contains("shape [2]"))
    let bytes = try integers([Int8](repeating: 1, count: 4), [1, 2, 2, 1], scale: 1)
    #expect(try refusal(pool, [bytes], result: quantized(.int8, scale: 2)).problem.contains("scale 2"))
    let lonely = Pool2D(
      .average, filterHeight: 1, filterWidth: 1, strideHeight: 1, strideWidth: 1,
      padding: .explicit(top: 2, bottom: 0, left: 0, right: 0))
    #expect(try refusal(lonely, [try floats([1], [1, 1, 1, 1])]).problem.contains("padding"))
  }
}
