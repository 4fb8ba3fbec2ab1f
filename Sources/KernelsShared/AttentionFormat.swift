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
}

/// The next `count` numbers, as far as they fit; zeros after them.
@inline(__always)
func loadFloats(_ address: UnsafeRawPointer, _ count: Int) -> FloatVector {
  if count >= lanes { return address.vector() }
  return count > 0 ? apus_load_part_f32(address, count) : FloatVector(repeating: 0)
}
