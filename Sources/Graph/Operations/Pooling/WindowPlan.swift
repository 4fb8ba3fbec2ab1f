import TensorCore

/// Which elements of an input each window of a ``ReduceWindow`` has: a row of the result, along its last axis, at a time.
struct WindowPlan: Sendable {
  private let outer: [WindowAxis]
  private let outerExtents: [Int]
  private let outerStrides: [Int]
  private let outerResults: [Int]
  private let last: WindowAxis
  private let lastExtent: Int
  private let rows: Int
  private let rowLength: Int
  /// Rows that are worth a thread's while.
  private let grain: Int

  /// - Parameters:
  ///   - axes: one for each axis of the input, at least one.
  ///   - result: of as many axes; it has an element.
  init(axes: [WindowAxis], input: Shape, result: Shape) {
    outer = axes.dropLast()
    last = axes.last ?? WindowAxis()
    outerExtents = input.dimensions.dropLast()
    outerStrides = input.strides.dropLast()
    outerResults = result.dimensions.dropLast()
    lastExtent = input.dimensions.last ?? 0
    rowLength = result.dimensions.last ?? 0
    rows = outerResults.reduce(1, *)
    let work = (axes.map(\.size) + [rowLength]).saturatingProduct
    grain = max(1, (1 << 14) / max(1, work))
  }

  @inline(__always)
  func body<Element: BitwiseCopyable>(
    _ combine: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering.Body {
    return { arguments in
      let source = arguments.input(0, as: Element.self)
      let result = arguments.output(0, as: Element.self)
      guard let initial = arguments.input(1, as: Element.self).first else { return }
      arguments.parallel(rows, grain: grain) { range in
        for row in range {
          let line = UnsafeMutableBufferPointer(rebasing: result[(row * rowLength)..<((row + 1) * rowLength)])
          line.update(repeating: initial)
          reduce(row, source, initial, into: line, combine)
        }
      }
    }
  }

  /// All windows of one row, one element of each at a time.
  @inline(__always)
  private func reduce<Element: BitwiseCopyable>(
    _ row: Int, _ source: UnsafeBufferPointer<Element>, _ initial: Element,
    into line: UnsafeMutableBufferPointer<Element>, _ combine: (Element, Element) -> Element
  ) {
    let windows = place(ofRow: row)
    var element = [Int](repeating: 0, count: outer.count)
    repeat {
      let start = start(windows, element)
      for step in 0..<last.size {
        // The windows whose element is one of the input, where these follow each other.
        let shift = step * last.windowStep - last.padding.before
        let isDense = last.inputStep == 1
        let first = isDense ? min(line.count, max(0, (last.stride - 1 - shift) / last.stride)) : 0
        let end =
          isDense ? max(first, min(line.count, (lastExtent - 1 - shift + last.stride) / last.stride)) : 0
        guard let start, isDense else {
          for window in line.indices {
            let index = start == nil ? nil : last.source(window, step, of: lastExtent)
            line[window] = combine(line[window], index.map { source[(start ?? 0) + $0] } ?? initial)
          }
          continue
        }
        for window in 0..<first { line[window] = combine(line[window], initial) }
        for window in first..<end {
          line[window] = combine(line[window], source[start + window * last.stride + shift])
        }
        for window in end..<line.count { line[window] = combine(line[window], initial) }
      }
    } while advance(&element)
  }

  /// Which windows a row of the result belongs to, along the axes but the last.
  private func place(ofRow row: Int) -> [Int] {
    var rest = row
    var place = [Int](repeating: 0, count: outer.count)
    for axis in outer.indices.reversed() {
      (rest, place[axis]) = rest.quotientAndRemainder(dividingBy: max(1, outerResults[axis]))
    }
    return place
  }

  /// Where the input's row begins; nil for one that is only thought.
  private func start(_ windows: [Int], _ element: [Int]) -> Int? {
    var start = 0
    for axis in outer.indices {
      guard let index = outer[axis].source(windows[axis], element[axis], of: outerExtents[axis]) else {
        return nil
      }
      start += index * outerStrides[axis]
    }
    return start
  }

  /// The next element of a window along the axes but the last, in their order; false behind the last one.
  private func advance(_ element: inout [Int]) -> Bool {
    for axis in outer.indices.reversed() {
      element[axis] += 1
      if element[axis] < outer[axis].size { return true }
      element[axis] = 0
    }
    return false
  }
}
