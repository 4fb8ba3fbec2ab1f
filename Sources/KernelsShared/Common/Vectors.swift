import CIntrinsics

// The vectors of the instruction set this target is compiled for.
#if ISA_AVX512
  typealias FloatVector = SIMD16<Float>
  typealias Int32Vector = SIMD16<Int32>
  typealias Int64Vector = SIMD8<Int64>
#elseif ISA_AVX2
  typealias FloatVector = SIMD8<Float>
  typealias Int32Vector = SIMD8<Int32>
  typealias Int64Vector = SIMD4<Int64>
#else
  typealias FloatVector = SIMD4<Float>
  typealias Int32Vector = SIMD4<Int32>
  typealias Int64Vector = SIMD2<Int64>
#endif

/// Elements of 4 bytes in one vector.
@inline(__always) var lanes: Int { Int(APUS_LANES) }
/// Bytes of one vector.
@inline(__always) var vectorBytes: Int { lanes &* 4 }

/// Rows of the largest register tile: two accumulators a row, and what is left of the registers for the
/// operands.
#if ISA_AVX512
  let tileRows = 12
#elseif arch(arm64)
  let tileRows = 8
#else
  let tileRows = 6
#endif

extension UnsafeRawPointer {
  @inline(__always)
  func vector<Vector>(_ byteOffset: Int = 0, as: Vector.Type = Vector.self) -> Vector {
    loadUnaligned(fromByteOffset: byteOffset, as: Vector.self)
  }
}
