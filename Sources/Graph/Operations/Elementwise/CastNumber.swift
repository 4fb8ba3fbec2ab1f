import TensorCore

/// The value of an element of any type on its way to another: exact either way.
enum CastNumber {
  case integer(Int64)
  case real(Double)
}

/// An element type that values can be cast from and to.
///
/// Integers take the low bits of wider integers. A real number loses its fraction, saturates at the bounds
/// of the integer type, and becomes its greatest number when it is NaN. Everything but zero is true. A value
/// becomes float16 or bfloat16 by way of float32, rounded to nearest even each time.
protocol CastElement: BitwiseCopyable, Sendable {
  var number: CastNumber { get }
  init(_ number: CastNumber)
}

extension CastElement where Self: FixedWidthInteger {
  @inline(__always) var number: CastNumber { .integer(Int64(truncatingIfNeeded: self)) }

  @inline(__always) init(_ number: CastNumber) {
    switch number {
    case .integer(let value): self = Self(truncatingIfNeeded: value)
    case .real(let value):
      if let exact = Self(exactly: value.rounded(.towardZero)) {
        self = exact
      } else {
        self = value < 0 ? .min : .max
      }
    }
  }
}

extension Int8: CastElement {}
extension Int16: CastElement {}
extension Int32: CastElement {}
extension Int64: CastElement {}
extension UInt8: CastElement {}
extension UInt16: CastElement {}
extension UInt32: CastElement {}

extension Double: CastElement {
  @inline(__always) var number: CastNumber { .real(self) }

  @inline(__always) init(_ number: CastNumber) {
    switch number {
    case .integer(let value): self = Double(value)
    case .real(let value): self = value
    }
  }
}

extension Float: CastElement {
  @inline(__always) var number: CastNumber { .real(Double(self)) }

  @inline(__always) init(_ number: CastNumber) {
    switch number {
    case .integer(let value): self = Float(value)
    case .real(let value): self = Float(value)
    }
  }
}

/// The bits of a boolean; whatever is not zero is true.
struct CastBool: CastElement {
  let bits: UInt8

  @inline(__always) var number: CastNumber { .integer(bits != 0 ? 1 : 0) }

  @inline(__always) init(_ number: CastNumber) {
    switch number {
    case .integer(let value): bits = value != 0 ? 1 : 0
    case .real(let value): bits = value != 0 ? 1 : 0
    }
  }
}

/// The bits of a float16.
struct CastFloat16: CastElement {
  let bits: UInt16

  @inline(__always) var number: CastNumber { .real(Double(Float16(bitPattern: bits))) }

  @inline(__always) init(_ number: CastNumber) { bits = Float16(Float(number)).bitPattern }
}

/// The bits of a bfloat16: the upper half of a float32.
struct CastBFloat16: CastElement {
  let bits: UInt16

  @inline(__always) var number: CastNumber { .real(Double(Float(bitPattern: UInt32(bits) << 16))) }

  @inline(__always) init(_ number: CastNumber) {
    let value = Float(number)
    let whole = value.bitPattern
    // Rounds to nearest even; a NaN is kept one.
    let rounded = whole &+ 0x7FFF &+ (whole >> 16 & 1)
    bits = UInt16(truncatingIfNeeded: (value.isNaN ? whole | 0x40_0000 : rounded) >> 16)
  }
}
