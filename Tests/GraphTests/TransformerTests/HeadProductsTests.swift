import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Products of heads with vectors that a matrix projects for each, against their definition in double precision.
@Suite struct HeadProductsTests {
  private struct Sample {
    let rows = 300
    var heads = 3
    let buckets = 37
    var width = 9
    let depth = 11
    let offset = 5
    var scale: Float = 0.5
    var epsilon: Float?
    var hasBias = true
    let x: [Float]
    let vectors: [Float]
    let matrix: [Float]
    let bias: [Float]
    let factors: [[Float]]
    var columns: Int { offset + heads * width + 2 }

    init() {
      var random = SeededRandom()
      x = random.floats(rows * (offset + heads * width + 2))
      vectors = random.floats(buckets * depth)
      matrix = random.floats(heads * width * depth)
      bias = random.floats(heads * width)
      factors = [random.floats(depth, 0.5...1.5), random.floats(depth)]
    }

    /// What is projected of a bucket's vector.
    private func vector(_ bucket: Int) -> [Double] {
      let all = vectors[(bucket * depth)..<((bucket + 1) * depth)].map(Double.init)
      guard let epsilon else { return all }
      let mean = all.reduce(0, +) / Double(depth)
      let variance = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(depth)
      let deviation = (variance + Double(epsilon)).squareRoot()
      return all.indices.map { place in
        (all[place] - mean) / deviation * Double(factors[0][place]) + Double(factors[1][place])
      }
    }

    /// Of a bucket, the features of all heads.
    private func projected(_ bucket: Int) -> [Double] {
      let vector = vector(bucket)
      return (0..<(heads * width)).map { row in
        var sum = hasBias ? Double(bias[row]) : 0
        for place in 0..<depth { sum += Double(matrix[row * depth + place]) * vector[place] }
        return sum * Double(scale)
      }
    }

    var wanted: [Double] {
      let all = (0..<buckets).map { projected($0) }
      var result: [Double] = []
      for head in 0..<heads {
        for row in 0..<rows {
          let first = row * columns + offset + head * width
          for bucket in 0..<buckets {
            var sum = 0.0
            for place in 0..<width { sum += Double(x[first + place]) * all[bucket][head * width + place] }
            result.append(sum)
          }
        }
      }
      return result
    }

    /// The constants in order; nil for those that are left out.
    func constants() throws -> [Tensor?] {
      let norm = try factors.map { try floats($0, [depth]) }
      return [
        try floats(vectors, [buckets, depth]), try floats(matrix, [heads * width, depth]),
        hasBias ? try floats(bias, [heads * width]) : nil, epsilon == nil ? nil : norm[0],
        epsilon == nil ? nil : norm[1],
      ]
    }

    func run(
      _ kernels: KernelSet, _ precision: Precision = .float32, threads: Int = 1,
      store: PackedWeightStore? = nil, constants: [Tensor?]? = nil
    ) throws -> [Float] {
      var builder = GraphBuilder(kernels: kernels)
      let input = try floats(x, [rows, columns])
      var values: [Value?] = [builder.input("x", input.type)]
      for tensor in try constants ?? self.constants() {
        values.append(tensor.map { builder.constant("constant", $0) })
      }
      let operation = HeadProducts(heads: heads, scale: scale, epsilon: epsilon, offset: offset)
      let results = try builder.add(operation, values, results: [.init("result")], label: "products")
      builder.output(results[0])
      var options = CompileOptions()
      (options.kernels, options.precision, options.threads) = (kernels, precision, threads)
      options.packedWeights = store
      let result = try Compiler.compile(builder.graph, options).run([input])[0]
      #expect(result.shape.dimensions == [heads, rows, buckets])
      return try result.elements(of: Float.self)
    }
  }

  @Test(arguments: [nil, 1e-3] as [Float?], [true, false])
  func eachHeadHasItsColumnsAndItsVectors(_ epsilon: Float?, _ hasBias: Bool) throws {
    var sample = Sample()
    (sample.epsilon, sample.hasBias) = (epsilon, hasBias)
    let wanted = sample.wanted
    for kernels in KernelSet.available {
      for precision in [Precision.float32, .bfloat16] where precision.isAvailable(with: kernels) {
        let found = try sample.run(kernels, precision)
        let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? .infinity
        #expect(error <= (precision == .float32 ? 3e-5 : 0.1), "\(kernels.name) \(precision): \(error)")
      }
    }
  }

  @Test func threadsDoNotMatter() throws {
    let sample = Sample()
    let one = try sample.run(.best)
    #expect(try sample.run(.best, threads: 4) == one)
  }

  /// The same elements, made only when they are read.
  private func unread(_ tensors: [Tensor?]) throws -> [Tensor?] {
    var unread: [Tensor?] = []
    for tensor in tensors {
      guard let tensor else {
        unread.append(nil)
        continue
      }
      let derivation = Derivation(from: [tensor], rule: [1]) { tensor.copyBytes(to: $0) }
      let storage = try TensorStorage(byteCount: tensor.type.byteCount, derivedBy: derivation)
      unread.append(try Tensor(tensor.type, storage: storage))
    }
    return unread
  }

  /// A second start takes them from the cache, and does not read what they are made of.
  @Test func packedVectorsAreNotProjectedAgain() throws {
    var sample = Sample()
    sample.epsilon = 1e-3
    let folder = try TemporaryFolder()
    let wanted = try sample.run(.best)
    for isWritten in [true, false] {
      let constants = try unread(sample.constants())
      let cache = PackedWeightCache(
        model: "model", network: "text", options: CompileOptions(), folder: "\(folder.path)/apus")
      let store = PackedWeightStore(cache: cache)
      let found = try sample.run(.best, store: store, constants: constants)
      #expect(found == wanted)
      let matrix = try #require(constants[1]?.storage.derivation)
      #expect(matrix.isPending != isWritten)
      let wrote = store.writeCache()
      #expect(wrote == isWritten)
    }
  }

  /// What is done with the same constants tells packed vectors apart.
  @Test func otherProjectionsOfTheSameConstantsAreOthers() throws {
    var sample = Sample()
    let constants = try sample.constants()
    let store = PackedWeightStore()
    let one = try sample.run(.best, store: store, constants: constants)
    let bytes = store.byteCount
    let same = try sample.run(.best, store: store, constants: constants)
    #expect(same == one && store.byteCount == bytes)
    sample.scale = 0.25
    let other = try sample.run(.best, store: store, constants: constants)
    #expect(other == one.map { $0 / 2 } && store.byteCount == 2 * bytes)
    sample.epsilon = 1e-3
    let normalized = try sample.run(.best, store: store)
    #expect(normalized != other && store.byteCount == 3 * bytes)
    sample.epsilon = 0.5
    let flatter = try sample.run(.best, store: store)
    #expect(flatter != normalized && store.byteCount == 4 * bytes)
    sample.hasBias = false
    let unbiased = try sample.run(.best, store: store)
    let unbiasedAnew = try sample.run(.best)
    #expect(unbiased == unbiasedAnew && unbiased != flatter && store.byteCount == 5 * bytes)
    // As many rows of the matrix, for more heads.
    (sample.heads, sample.width) = (9, 3)
    let narrow = try sample.run(.best, store: store)
    let narrowAnew = try sample.run(.best)
    #expect(narrow == narrowAnew && store.byteCount > 5 * bytes)
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let rows = try floats([Float](repeating: 0, count: 12), [2, 6])
    let vectors = try floats([Float](repeating: 0, count: 8), [2, 4])
    let matrix = try floats([Float](repeating: 0, count: 24), [6, 4])
    let operands = [rows, vectors, matrix]
    for offset in [1, -1] {
      let error = try refusal(HeadProducts(heads: 2, offset: offset), operands)
      #expect(error.expected?.contains("2 heads of 3") == true)
    }
    #expect(try refusal(HeadProducts(heads: 4), operands).expected == "as many rows for each head")
    #expect(try refusal(HeadProducts(heads: 0), operands).expected == "as many rows for each head")
    #expect(try refusal(HeadProducts(heads: 2, scale: .nan), operands).expected == "a finite number")
    let flat = try floats([0, 0])
    #expect(try refusal(HeadProducts(heads: 2), [rows, flat, matrix]).expected == "rank 2")
    let none = try floats([], [0, 4])
    let empty = try refusal(HeadProducts(heads: 2), [rows, none, matrix])
    #expect(empty.expected?.contains("one element") == true)
    #expect(try refusal(HeadProducts(heads: 2), [rows, vectors]).expected == "3 to 6")
    // As wide as the vectors.
    let deep = try refusal(HeadProducts(heads: 2), [rows, vectors, rows])
    #expect(deep.expected?.contains("[outputs, 4]") == true)
    let bias = try floats([Float](repeating: 0, count: 5))
    #expect(try refusal(HeadProducts(heads: 2), operands + [bias]).problem.contains("a bias"))
    let factor = try floats([0, 0, 0, 0])
    let right = try floats([Float](repeating: 0, count: 6))
    let half = try refusal(HeadProducts(heads: 2, epsilon: 1), operands + [right, factor])
    #expect(half.expected == "both")
    let unused = try refusal(HeadProducts(heads: 2), operands + [right, factor, factor])
    #expect(unused.expected == "none without an epsilon")
    let wrong = try refusal(HeadProducts(heads: 2, epsilon: 1), operands + [right, factor, right])
    #expect(wrong.expected?.hasPrefix("[4]") == true)
  }
}
