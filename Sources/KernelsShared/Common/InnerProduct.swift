import CIntrinsics

/// A numeric format of the operands of a matrix product: how 4 bytes of a row meet those of each column, which are as many
/// for most.
protocol InnerProduct {
  associatedtype Accumulator: SIMD where Accumulator.Scalar: BitwiseCopyable
  associatedtype Operand
  /// 4 bytes of one row of A, in every lane.
  static func broadcast(_ address: UnsafeRawPointer) -> Operand
  /// ``columnBytes`` of each of as many columns of B as there are lanes.
  static func columns(_ address: UnsafeRawPointer) -> Operand
  static func accumulate(_ sum: Accumulator, _ a: Operand, _ b: Operand) -> Accumulator
  /// Bytes of each column that meet 4 bytes of a row.
  static var columnBytes: Int { get }
}

extension InnerProduct {
  @inline(__always) static var columnBytes: Int { 4 }
}

extension InnerProduct where Operand == Int32Vector {
  @inline(__always)
  static func broadcast(_ address: UnsafeRawPointer) -> Int32Vector {
    Int32Vector(repeating: address.loadUnaligned(as: Int32.self))
  }
  @inline(__always) static func columns(_ address: UnsafeRawPointer) -> Int32Vector { address.vector() }
}

/// One float32 in a group.
enum Float32Product: InnerProduct {
  @inline(__always) static func broadcast(_ address: UnsafeRawPointer) -> FloatVector {
    FloatVector(repeating: address.loadUnaligned(as: Float.self))
  }
  @inline(__always) static func columns(_ address: UnsafeRawPointer) -> FloatVector { address.vector() }
  @inline(__always)
  static func accumulate(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    apus_fma(sum, a, b)
  }
}

/// Two bfloat16 in a group, added in float32.
enum BFloat16Product: InnerProduct {
  @inline(__always)
  static func accumulate(_ sum: FloatVector, _ a: Int32Vector, _ b: Int32Vector) -> FloatVector {
    apus_dot_bf16(sum, a, b)
  }
}

/// Four unsigned bytes of a row and four signed bytes of a column, added in int32.
enum Unsigned8Product: InnerProduct {
  @inline(__always)
  static func accumulate(_ sum: Int32Vector, _ a: Int32Vector, _ b: Int32Vector) -> Int32Vector {
    apus_dot_u8s8(sum, a, b)
  }
}

/// Four signed bytes of a row, made unsigned by flipping their top bit: each counts 128 more than it is,
/// which the panel's header takes away again.
enum Signed8Product: InnerProduct {
  @inline(__always) static func broadcast(_ address: UnsafeRawPointer) -> Int32Vector {
    Int32Vector(repeating: address.loadUnaligned(as: Int32.self) ^ signFlip)
  }
  @inline(__always)
  static func accumulate(_ sum: Int32Vector, _ a: Int32Vector, _ b: Int32Vector) -> Int32Vector {
    apus_dot_u8s8(sum, a, b)
  }
}

#if WIDENS_BYTES
  /// Two unsigned bytes of a row that `widenRows` made numbers of 16 bits, and two signed bytes of a column, added in int32.
  enum WidenedProduct: InnerProduct {
    @inline(__always) static var columnBytes: Int { 2 }
    @inline(__always) static func columns(_ address: UnsafeRawPointer) -> Int32Vector {
      apus_load_signed_bytes(address)
    }
    @inline(__always)
    static func accumulate(_ sum: Int32Vector, _ a: Int32Vector, _ b: Int32Vector) -> Int32Vector {
      apus_dot_s16(sum, a, b)
    }
  }
#endif

/// Two signed numbers of 16 bits in a group, added in int32.
enum Integer16Product: InnerProduct {
  @inline(__always)
  static func accumulate(_ sum: Int32Vector, _ a: Int32Vector, _ b: Int32Vector) -> Int32Vector {
    apus_dot_s16(sum, a, b)
  }
}

/// The top bit of each of four bytes.
let signFlip = Int32(bitPattern: 0x8080_8080)
