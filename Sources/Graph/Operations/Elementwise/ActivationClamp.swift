/// A fused activation on float results. NaN passes through.
struct FloatClamp: Sendable {
  let lower: Float
  let upper: Float

  init(_ activation: Activation) { (lower, upper) = activation.floatRange }

  @inline(__always)
  func callAsFunction(_ value: Float) -> Float {
    let raised = value < lower ? lower : value
    return raised > upper ? upper : raised
  }
}

/// A fused activation on results that are plain integers.
struct IntegerClamp<Element: FixedWidthInteger & Sendable>: Sendable {
  let lower: Element
  let upper: Element

  init(_ activation: Activation) {
    let range = activation.floatRange
    lower = range.lower.isFinite ? Element(clamping: Int(range.lower)) : .min
    upper = range.upper.isFinite ? Element(clamping: Int(range.upper)) : .max
  }

  @inline(__always)
  func callAsFunction(_ value: Element) -> Element { min(upper, max(lower, value)) }
}
