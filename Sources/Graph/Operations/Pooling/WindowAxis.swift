import TensorCore

/// How windows lie along one axis: of which elements each is made, before, between and behind which others may be thought.
package struct WindowAxis: Sendable {
  /// Elements of a window.
  package var size = 1
  /// From one window to the next.
  package var stride = 1
  /// From one element of the input to the next, where others are thought between them.
  package var inputStep = 1
  /// From one element of a window to the next.
  package var windowStep = 1
  /// Elements that are thought before and behind the input; fewer than none cut it.
  package var padding = (before: 0, after: 0)

  package init() {}

  private var list: [Int] { [size, stride, inputStep, windowStep, padding.before, padding.after] }

  /// The windows over an input of `extent` elements.
  /// - Throws: ``ApusError`` of kind `malformedModel` for numbers that no axis has.
  func count(over extent: Int) throws(ApusError) -> Int {
    let limit = ResultLimit.byteCount
    guard [size, stride, inputStep, windowStep].allSatisfy({ (1...limit).contains($0) }),
      [padding.before, padding.after].allSatisfy({ (-limit...limit).contains($0) }), extent <= limit
    else {
      throw ApusError(
        .malformedModel, "windows of \(list)", expected: "1 to \(limit), and padding of at most that")
    }
    // Each product is of two numbers of 31 bits.
    let whole = (extent == 0 ? 0 : (extent - 1) * inputStep + 1) + padding.before + padding.after
    let window = (size - 1) * windowStep + 1
    guard whole >= 0 else {
      throw ApusError(.malformedModel, "padding that cuts more than the \(extent) elements", expected: "less")
    }
    return window > whole ? 0 : (whole - window) / stride + 1
  }

  /// Which of `extent` elements an element of a window is; nil for one that is only thought.
  func source(_ window: Int, _ element: Int, of extent: Int) -> Int? {
    let place = window * stride + element * windowStep - padding.before
    guard place >= 0, place % inputStep == 0 else { return nil }
    let index = place / inputStep
    return index < extent ? index : nil
  }
}
