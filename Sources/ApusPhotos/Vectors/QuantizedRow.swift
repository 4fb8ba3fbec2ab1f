import Kernels
import TensorCore

/// Vectors as rows of a vector file: signed bytes and a scale, number ≈ scale × byte.
struct QuantizedRow {
  /// The greatest magnitude becomes so much.
  static let greatest: Float = 127

  /// - Parameters:
  ///   - numbers: finite.
  ///   - target: room for as many bytes.
  /// - Returns: the scale; 0 for a vector of zeros, and nil where a number is not finite.
  static func write(_ numbers: UnsafeBufferPointer<Float>, to target: UnsafeMutablePointer<Int8>) -> Float? {
    var largest: Float = 0
    var taint: Float = 0
    for number in numbers {
      largest = max(largest, abs(number))
      // 0 unless the number is infinite or NaN.
      taint += number * 0
    }
    guard taint == 0 else { return nil }
    let scale = largest / greatest
    // Below the normal numbers there is no inverse.
    let inverse = scale.isNormal ? greatest / largest : 0
    for index in numbers.indices {
      // In float32 the sum with this has the nearest whole number in its last bits, ties to even.
      let rounded = numbers[index] * inverse + 0x1.8p23
      target[index] = Int8(truncatingIfNeeded: Int32(bitPattern: rounded.bitPattern))
    }
    return inverse == 0 ? 0 : scale
  }

  /// Bytes of a query, and the scale of the same query at length 1.
  /// - Throws: ``ApusError`` of kind `argument` for a vector that has no direction.
  static func query(_ numbers: [Float]) throws(ApusError) -> (bytes: [Int8], scale: Float) {
    var scale: Float?
    let bytes = [Int8](unsafeUninitializedCapacity: numbers.count) { target, count in
      count = numbers.count
      guard let start = target.baseAddress else { return }
      scale = numbers.withUnsafeBufferPointer { write($0, to: start) }
    }
    let length = numbers.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    guard let scale, scale > 0 else {
      throw ApusError(.argument, "a vector that has no direction: it is zero, or its numbers are not finite")
    }
    return (bytes, Float(Double(scale) / length))
  }

  /// 32 bits by which a row is known to be as it was written.
  static func check(_ numbers: UnsafeRawBufferPointer, scale: Float, contentID: Int64) -> UInt32 {
    let words = ContentDigest(numbers).words
    var mixed = words[0] ^ UInt64(scale.bitPattern) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 32) &* 0xff51_afd7_ed55_8ccd ^ UInt64(bitPattern: contentID)
    mixed = (mixed ^ mixed >> 32) &* 0xc4ce_b9fe_1a85_ec53
    return UInt32(truncatingIfNeeded: mixed >> 32)
  }
}
