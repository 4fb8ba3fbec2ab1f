import CIntrinsics

/// How stored elements become the groups of 4 bytes of a panel.
protocol PanelFormat {
  /// Elements in a group.
  static var elements: Int { get }
  /// Converts as many groups of a column as a vector holds, from element `first` on, and stores them in `slot`.
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer)
}

enum Float32Panel: PanelFormat {
  @inline(__always) static var elements: Int { 1 }

  @inline(__always)
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer
  ) {
    slot.storeBytes(of: storedFloats(column, address, first), as: FloatVector.self)
  }
}

enum BFloat16Panel: PanelFormat {
  @inline(__always) static var elements: Int { 2 }

  @inline(__always)
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer
  ) {
    if column.type == ApusStoredBFloat16 {
      slot.storeBytes(of: address.vector(2 &* first), as: Int32Vector.self)
    } else {
      let pairs = apus_round_bf16(
        storedFloats(column, address, first), storedFloats(column, address, first &+ lanes))
      slot.storeBytes(of: pairs, as: Int32Vector.self)
    }
  }
}

enum Integer8Panel: PanelFormat {
  @inline(__always) static var elements: Int { 4 }

  @inline(__always)
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer
  ) {
    if column.type == ApusStoredInteger8 {
      slot.storeBytes(of: address.vector(first), as: Int32Vector.self)
    } else {
      var part = 0
      while part < 4 {
        let floats = storedFloats(column, address, first &+ part &* lanes)
        apus_store_low_bytes(slot + part &* lanes, roundedToInteger(floats))
        part &+= 1
      }
    }
  }
}

/// Bytes that one stored element takes.
@inline(__always)
func storedBytes(_ type: ApusStoredType) -> Int {
  switch type {
  case ApusStoredFloat32: 4
  case ApusStoredInteger8: 1
  default: 2
  }
}

/// The next elements of a column as float32, times the column's scale where it has one.
@inline(__always)
func storedFloats(_ column: ApusStoredColumn, _ address: UnsafeRawPointer, _ first: Int) -> FloatVector {
  let scale = FloatVector(repeating: column.scale)
  switch column.type {
  case ApusStoredFloat32: return address.vector(4 &* first, as: FloatVector.self) * scale
  case ApusStoredFloat16: return apus_load_f16(address + 2 &* first) * scale
  case ApusStoredBFloat16: return apus_load_bf16(address + 2 &* first) * scale
  default: return apus_load_s8_f32(address + first) * scale
  }
}

/// The nearest integers, halves to even, of numbers below 2²²; anything for others.
@inline(__always)
func roundedToInteger(_ x: FloatVector) -> Int32Vector {
  let shift = FloatVector(repeating: 0x1.8p23)
  return unsafeBitCast(x + shift, to: Int32Vector.self) &- unsafeBitCast(shift, to: Int32Vector.self)
}
