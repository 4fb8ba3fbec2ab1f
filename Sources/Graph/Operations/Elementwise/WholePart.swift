extension Int32 {
  /// The number without its fraction; the least integer when that does not fit or is not a number, which
  /// is what the conversion instruction of x86 gives and TFLite's kernels therefore do.
  @inline(__always)
  init(wholeOf value: Float) {
    self = value >= -0x1p31 && value < 0x1p31 ? Int32(value) : .min
  }

  /// The number without its fraction; the least integer when that does not fit or is not a number.
  @inline(__always)
  init(wholeOf value: Double) {
    self = value > -0x1p31 - 1 && value < 0x1p31 ? Int32(value) : .min
  }

  /// The nearest whole number, halves away from zero; the least integer when it does not fit or is not a
  /// number.
  ///
  /// The number just below one half is added before the fraction is dropped: one half itself would carry
  /// 0.49999997 to 1.
  @inline(__always)
  init(nearestTo value: Float) {
    self.init(wholeOf: value + Float(signOf: value, magnitudeOf: 0x1.fffffep-2))
  }
}
