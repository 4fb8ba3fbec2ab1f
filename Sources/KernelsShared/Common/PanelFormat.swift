import CIntrinsics

/// How stored elements become the groups of 4 bytes of a panel.
protocol PanelFormat {
  /// Elements in a group.
  static var elements: Int { get }
  /// Converts as many groups of a column as a vector holds, from element `first` on, and stores them in `slot`.
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer)
  /// The group of a vector of columns that begins with element `first`, of which there are `count`, at least one; zeros for
  /// those that are missing.
  /// - Parameter spare: working memory of a vector.
  static func group(
    _ columns: NeighbouringColumns, _ first: Int, _ count: Int, _ spare: UnsafeMutableRawPointer
  ) -> Int32Vector
}

enum Float32Panel: PanelFormat {
  @inline(__always) static var elements: Int { 1 }

  @inline(__always)
  static func convert(
    _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, to slot: UnsafeMutableRawPointer
  ) {
    slot.storeBytes(of: storedFloats(column, address, first), as: FloatVector.self)
  }

  @inline(__always)
  static func group(
    _ columns: NeighbouringColumns, _ first: Int, _ count: Int, _ spare: UnsafeMutableRawPointer
  ) -> Int32Vector {
    unsafeBitCast(columns.floats(first, spare), to: Int32Vector.self)
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

  @inline(__always)
  static func group(
    _ columns: NeighbouringColumns, _ first: Int, _ count: Int, _ spare: UnsafeMutableRawPointer
  ) -> Int32Vector {
    let none = FloatVector(repeating: 0)
    if columns.type == ApusStoredBFloat16 {
      let low = unsafeBitCast(columns.stored(first, spare), to: Int32Vector.self)
      let second = count == 2 ? columns.stored(first &+ 1, spare) : none
      let upper = Int32Vector(repeating: -0x1_0000)
      return low &>> 16 & ~upper | unsafeBitCast(second, to: Int32Vector.self) & upper
    }
    let second = count == 2 ? columns.floats(first &+ 1, spare) : none
    return apus_bf16_pairs(columns.floats(first, spare), second)
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

  @inline(__always)
  static func group(
    _ columns: NeighbouringColumns, _ first: Int, _ count: Int, _ spare: UnsafeMutableRawPointer
  ) -> Int32Vector {
    var group = Int32Vector(repeating: 0)
    var element = 0
    while element < count {
      let row = first &+ element
      let floats =
        columns.type == ApusStoredInteger8 ? columns.stored(row, spare) : columns.floats(row, spare)
      let bytes = roundedToInteger(floats) & Int32Vector(repeating: 0xff)
      group |= bytes &<< Int32Vector(repeating: Int32(truncatingIfNeeded: 8 &* element))
      element &+= 1
    }
    return group
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
  storedFloats(column.type, address + first &* storedBytes(column.type))
    * FloatVector(repeating: column.scale)
}

/// Elements that lie side by side as float32.
@inline(__always)
func storedFloats(_ type: ApusStoredType, _ address: UnsafeRawPointer) -> FloatVector {
  switch type {
  case ApusStoredFloat32: return address.vector(as: FloatVector.self)
  case ApusStoredFloat16: return apus_load_f16(address)
  case ApusStoredBFloat16: return apus_load_bf16(address)
  default: return apus_load_s8_f32(address)
  }
}

/// The nearest integers, halves to even, of numbers below 2²²; anything for others.
@inline(__always)
func roundedToInteger(_ x: FloatVector) -> Int32Vector {
  let shift = FloatVector(repeating: 0x1.8p23)
  return unsafeBitCast(x + shift, to: Int32Vector.self) &- unsafeBitCast(shift, to: Int32Vector.self)
}
