import CIntrinsics

/// A numeric format in which attention multiplies; sums, maxima and exponentials are float32 in all of them.
protocol AttentionFormat {
  associatedtype Product: InnerProduct where Product.Accumulator == FloatVector
  /// Elements in the 4 bytes that one step of a product takes.
  static var elements: Int { get }
  /// 4 bytes each for as many lanes as there are, from the next `count` numbers at an address, zeros after
  /// them.
  static func group(
    _ address: UnsafeRawPointer, count: Int, _ transform: (FloatVector) -> FloatVector
  ) -> Int32Vector
  /// Numbers of `elements` rows, lane by lane together.
  static func interleave(_ first: FloatVector, _ second: FloatVector) -> Int32Vector
  /// 2ˣ for x ≤ 0, exact for x = 0, about as precise as the format.
  static func weight(_ x: FloatVector) -> FloatVector
}

enum Float32Attention: AttentionFormat {
  typealias Product = Float32Product
  @inline(__always) static var elements: Int { 1 }

  @inline(__always)
  static func group(
    _ address: UnsafeRawPointer, count: Int, _ transform: (FloatVector) -> FloatVector
  ) -> Int32Vector {
    unsafeBitCast(transform(loadFloats(address, count)), to: Int32Vector.self)
  }

  @inline(__always)
  static func interleave(_ first: FloatVector, _ second: FloatVector) -> Int32Vector {
    unsafeBitCast(first, to: Int32Vector.self)
  }

  /// Within 2·10⁻⁷ of the exact value: the polynomial is off by 8.3·10⁻⁸.
  @inline(__always)
  static func weight(_ x: FloatVector) -> FloatVector {
    #if ISA_AVX512
      let r = apus_fraction_f32(x)
      var p = FloatVector(repeating: 0x1.e974fap-10)
      p = apus_fma(FloatVector(repeating: 0x1.277856p-7), p, r)
      p = apus_fma(FloatVector(repeating: 0x1.c91ce6p-5), p, r)
      p = apus_fma(FloatVector(repeating: 0x1.ebdb56p-3), p, r)
      p = apus_fma(FloatVector(repeating: 0x1.62e4bap-1), p, r)
      return apus_scale_floor_f32(apus_fma(FloatVector(repeating: 1), p, r), x)
    #else
      return vectorExp2(x)
    #endif
  }
}

enum BFloat16Attention: AttentionFormat {
  typealias Product = BFloat16Product
  @inline(__always) static var elements: Int { 2 }

  @inline(__always)
  static func group(
    _ address: UnsafeRawPointer, count: Int, _ transform: (FloatVector) -> FloatVector
  ) -> Int32Vector {
    let second = loadFloats(address + vectorBytes, count &- lanes)
    return apus_round_bf16(transform(loadFloats(address, count)), transform(second))
  }

  @inline(__always)
  static func interleave(_ first: FloatVector, _ second: FloatVector) -> Int32Vector {
    apus_bf16_pairs(first, second)
  }

  /// Within 9·10⁻⁵ of the exact value, a twentieth of what rounding to bfloat16 adds.
  @inline(__always)
  static func weight(_ x: FloatVector) -> FloatVector {
    #if ISA_AVX512
      let r = apus_fraction_f32(x)
      var p = FloatVector(repeating: 0x1.3baaa6p-4)
      p = apus_fma(FloatVector(repeating: 0x1.d2378ap-3), p, r)
      p = apus_fma(FloatVector(repeating: 0x1.63e658p-1), p, r)
      return apus_scale_floor_f32(apus_fma(FloatVector(repeating: 1), p, r), x)
    #else
      return vectorExp2(x)
    #endif
  }
}

/// The next `count` numbers, as far as they fit; zeros after them.
@inline(__always)
func loadFloats(_ address: UnsafeRawPointer, _ count: Int) -> FloatVector {
  if count >= lanes { return address.vector() }
  return count > 0 ? apus_load_part_f32(address, count) : FloatVector(repeating: 0)
}
