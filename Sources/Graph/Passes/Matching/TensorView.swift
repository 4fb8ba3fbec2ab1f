import TensorCore

/// The elements of a value in the order in which reshapes, transpositions and slices read them.
struct TensorView {
  /// How many elements an axis has, and how far apart they are.
  struct Axis: Equatable {
    var extent: Int
    var stride: Int
  }

  /// The value that is read.
  let base: Value
  /// Outermost first.
  private(set) var axes: [Axis]
  /// The place of the first element.
  private(set) var offset = 0
  /// What every element is multiplied by.
  private(set) var factor: Float = 1

  /// All of a value, in its order.
  init(_ base: Value, _ shape: Shape) {
    self.init(base, axes: zip(shape.dimensions, shape.strides).map(Axis.init))
  }

  init(_ base: Value, axes: [Axis]) {
    self.base = base
    self.axes = axes
  }

  /// Whether the elements are read one after the other, from the first on.
  var isDense: Bool {
    var stride = 1
    for axis in axes.reversed() where axis.extent != 1 {
      guard axis.stride == stride else { return false }
      stride *= axis.extent
    }
    return offset == 0 && factor == 1
  }

  /// Axis k of the result is axis `permutation[k]`.
  func transposed(_ permutation: [Int]) -> Self? {
    guard permutation.sorted() == Array(axes.indices) else { return nil }
    var view = self
    view.axes = permutation.map { axes[$0] }
    return view
  }

  /// The same order under another shape; nil where no strides give that.
  func reshaped(_ shape: Shape) -> Self? {
    // Axes that follow each other in memory become one, from which those of the shape are split off.
    var merged: [Axis] = []
    for axis in axes where axis.extent != 1 {
      if let last = merged.last, last.stride == axis.extent * axis.stride {
        merged[merged.count - 1] = Axis(extent: last.extent * axis.extent, stride: axis.stride)
      } else {
        merged.append(axis)
      }
    }
    var split: [Axis] = []
    for extent in shape.dimensions.reversed() {
      guard extent != 1 else {
        split.append(Axis(extent: 1, stride: 0))
        continue
      }
      guard let last = merged.last, extent > 0, last.extent % extent == 0 else { return nil }
      split.append(Axis(extent: extent, stride: last.stride))
      merged[merged.count - 1] = Axis(extent: last.extent / extent, stride: last.stride * extent)
      if last.extent == extent { merged.removeLast() }
    }
    guard merged.isEmpty else { return nil }
    var view = self
    view.axes = split.reversed()
    return view
  }

  /// The elements from `begin` on, as many along each axis as `shape` says.
  func sliced(from begin: [Int], _ shape: Shape) -> Self? {
    guard begin.count == axes.count, shape.rank == axes.count else { return nil }
    var view = self
    view.offset += zip(begin, axes).reduce(0) { $0 + $1.0 * $1.1.stride }
    for index in axes.indices { view.axes[index].extent = shape[index] }
    return view
  }

  func multiplied(by factor: Float) -> Self {
    var view = self
    view.factor *= factor
    return view
  }
}

extension GraphMatcher {
  /// A value as views of what it is read from, the farthest first, itself last.
  func views(of value: Value) -> [TensorView] {
    var chain: [(base: Value, result: Value)] = []
    var base = value
    while chain.count < Self.depth, let node = writer(of: base), case let operand?? = node.inputs.first,
      let source = [operand, node.inputs.count == 2 ? node.inputs[1] ?? operand : operand].first(where: {
        graph[$0].constant == nil && viewed(TensorView($0, shape(of: $0)), of: $0, as: base) != nil
      })
    {
      chain.append((source, base))
      base = source
    }
    var views: [TensorView] = []
    for count in (0...chain.count).reversed() {
      let base = count == 0 ? value : chain[count - 1].base
      var view: TensorView? = TensorView(base, shape(of: base))
      for step in chain[..<count].reversed() {
        view = view.flatMap { viewed($0, of: step.base, as: step.result) }
      }
      if let view { views.append(view) }
    }
    return views
  }

  /// What a view of `operand` becomes in the node that makes `result` from it; nil when that does more than move or
  /// scale all elements.
  func viewed(_ view: TensorView, of operand: Value, as result: Value) -> TensorView? {
    guard let node = writer(of: result), graph[operand].type.dataType == graph[result].type.dataType,
      graph[operand].type.quantization == graph[result].type.quantization
    else { return nil }
    let shape = shape(of: result)
    if unshaped(result) == operand { return view.reshaped(shape) }
    let integers = node.inputs.dropFirst().map { $0.flatMap { try? graph[$0].constant?.integers() } ?? [] }
    switch node.operation {
    case is Transpose:
      return view.transposed(integers[0].map { $0 < 0 ? $0 + shape.rank : $0 })
    case is Slice: return view.sliced(from: integers[0], shape)
    case let product as Multiply where product.activation == .none && self.shape(of: operand) == shape:
      return node.inputs.compactMap(\.self).compactMap(scalar).first.map(view.multiplied)
    default: return nil
    }
  }
}
