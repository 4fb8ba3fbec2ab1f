import TensorCore

/// Reads the elements of a float tensor as float32, some at a time, wherever they lie.
struct FloatChunks {
  /// Elements that are in memory at a time, about.
  private static let length = 1 << 20

  private let tensor: Tensor
  private let place: String
  private let factors: TensorFactors?

  /// - Parameters:
  ///   - name: of the tensor, for errors.
  ///   - factors: by which rows and columns are multiplied.
  init(_ tensor: Tensor, named name: String, factors: TensorFactors? = nil) {
    self.tensor = tensor
    self.factors = factors
    place = "tensor '\(name.clipped)'"
  }

  /// Calls `body` with one piece after the other and the index of its first element.
  /// - Parameter multiple: pieces are this many elements long, or a multiple of it: a row.
  /// - Throws: ``ApusError`` of kind `malformedModel` at a number that is not finite, and what `body` throws.
  func forEach(
    multipleOf multiple: Int = 1, _ body: (Int, UnsafeBufferPointer<Float>) throws(ApusError) -> Void
  ) throws(ApusError) {
    let total = tensor.shape.elementCount
    let step = multiple * max(1, Self.length / max(1, multiple))
    var first = 0
    while first < total {
      var chunk = try read(first..<min(total, first + step))
      let width = tensor.shape.rank < 2 ? 1 : tensor.shape.dimensions.last ?? 1
      factors?.multiply(&chunk, first: first, width: width)
      // The largest exponent is that of infinities and NaN.
      guard !chunk.contains(where: { $0.bitPattern & 0x7F80_0000 == 0x7F80_0000 }) else {
        let bad = chunk.firstIndex { !$0.isFinite } ?? 0
        throw ApusError(
          .malformedModel, "element \(first + bad) is \(chunk[bad])", expected: "finite numbers", at: place)
      }
      let start = first
      try chunk.withUnsafeBufferPointer { (chunk) throws(ApusError) in try body(start, chunk) }
      first += step
    }
  }

  private func read(_ range: Range<Int>) throws(ApusError) -> [Float] {
    let type = tensor.dataType
    guard type.isFloat else {
      throw ApusError(
        .unsupportedModel, "is stored as \(type.rawValue)", expected: "a float type", at: place)
    }
    return tensor.withBytes { bytes in
      let part = UnsafeRawBufferPointer(
        rebasing: bytes[(range.lowerBound * type.byteCount)..<(range.upperBound * type.byteCount)])
      return switch type {
      case .float16: part.bindMemory(to: Float16.self).map(Float.init)
      case .bfloat16: part.bindMemory(to: BFloat16.self).map(Float.init)
      case .float64: part.bindMemory(to: Double.self).map { Float($0) }
      default: Array(part.bindMemory(to: Float.self))
      }
    }
  }
}
