import TensorCore

/// An element type that values can be cast from and to.
///
/// Integers take the low bits of wider integers. A real number loses its fraction, saturates at the bounds
/// of the integer type, and becomes its greatest number when it is NaN. Everything but zero is true. A value
/// becomes float16 or bfloat16 by way of float32, rounded to nearest even each time.
protocol CastElement: BitwiseCopyable, Sendable {
  /// Int64 or Double, which have the values of all integer and of all real types.
  associatedtype Number: BitwiseCopyable
  var number: Number { get }
  init(whole: Int64)
  init(real: Double)
}

extension CastElement where Self: FixedWidthInteger {
  @inline(__always) var number: Int64 { Int64(truncatingIfNeeded: self) }

  @inline(__always) init(whole: Int64) { self = Self(truncatingIfNeeded: whole) }

  @inline(__always) init(real: Double) {
    if let exact = Self(exactly: real.rounded(.towardZero)) {
      self = exact
    } else {
      self = real < 0 ? .min : .max
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
  @inline(__always) var number: Double { self }

  @inline(__always) init(whole: Int64) { self = Double(whole) }

  @inline(__always) init(real: Double) { self = real }
}

extension Float: CastElement {
  @inline(__always) var number: Double { Double(self) }

  @inline(__always) init(whole: Int64) { self = Float(whole) }

  @inline(__always) init(real: Double) { self = Float(real) }
}

/// The bits of a boolean; whatever is not zero is true.
struct CastBool: CastElement {
  let bits: UInt8

  @inline(__always) var number: Int64 { bits != 0 ? 1 : 0 }

  @inline(__always) init(whole: Int64) { bits = whole != 0 ? 1 : 0 }

  @inline(__always) init(real: Double) { bits = real != 0 ? 1 : 0 }
}

/// The bits of a float16.
struct CastFloat16: CastElement {
  let bits: UInt16

  @inline(__always) var number: Double { Double(Float16(bitPattern: bits)) }

  @inline(__always) init(whole: Int64) { bits = Float16(Float(whole)).bitPattern }

  @inline(__always) init(real: Double) { bits = Float16(Float(real)).bitPattern }
}

extension BFloat16: CastElement {
  @inline(__always) var number: Double { Double(Float(self)) }

  @inline(__always) init(whole: Int64) { self.init(Float(whole)) }

  @inline(__always) init(real: Double) { self.init(Float(real)) }
}
