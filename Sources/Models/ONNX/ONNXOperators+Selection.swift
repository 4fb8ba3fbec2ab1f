import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Elements chosen by indices or by their order.
  static let selection: [ONNXOperator] = [
    .plain("Gather") { (step) throws(ApusError) in
      if let slice = try step.chosenSlice() { return slice }
      return try step.add(
        Gather(axis: step.integer("axis"), countsFromEnd: true), [step.plain(0), step.plain(1)])
    },
    .plain("GatherElements") { (step) throws(ApusError) in
      try step.add(GatherElements(axis: step.integer("axis")), [step.plain(0), step.plain(1)])
    },
    .plain("GatherND") { (step) throws(ApusError) in
      let batch = try step.integer("batch_dims")
      return try step.add(
        GatherND(), [step.plain(0), step.sliceIndices(1, into: step.shape(0), batch: batch)])
    },
    .plain("ScatterElements") { (step) throws(ApusError) in
      try step.requireNoReduction()
      return try step.add(
        ScatterElements(axis: step.integer("axis")), [step.plain(0), step.plain(1), step.plain(2)])
    },
    .plain("ScatterND") { (step) throws(ApusError) in
      try step.requireNoReduction()
      return try step.add(
        TensorScatterUpdate(), [step.plain(0), step.sliceIndices(1, into: step.shape(0)), step.plain(2)])
    },
    .plain("Slice") { (step) throws(ApusError) in try step.sliced() },
    .plain("OneHot") { (step) throws(ApusError) in
      let indices = try step.cast(step.plain(0), to: .int64)
      let axis = try step.integer("axis", default: -1)
      _ = try step.constant(1, "the depth")
      let asked = try step.translation.constant(of: step.cast(step.plain(1), to: .int64))?.integers() ?? []
      guard asked.count == 1, asked[0] < 1 << 31 else {
        throw ApusError(.malformedModel, "a depth of \(asked)", expected: "one number")
      }
      let depth = asked[0]
      // Negative indices count from the end.
      let wrapped = try step.add(Add(), [indices, step.constant([depth])])
      let isNegative = try step.add(Compare(.less), [indices, step.constant([0])])
      let places = try step.add(Select(broadcasts: true), [isNegative, wrapped, indices])
      let shape = step.type(of: indices).shape.dimensions
      let values = try step.plain(2)
      guard step.type(of: values).shape.dimensions == [2] else {
        throw ApusError(.malformedModel, "values of shape \(step.type(of: values).shape)", expected: "[2]")
      }
      let off = try step.add(Slice(), [values, step.constant([0]), step.constant([1])])
      let on = try step.add(Slice(), [values, step.constant([1]), step.constant([1])])
      return try step.add(
        OneHot(axis: axis < -1 ? axis + shape.count + 1 : axis),
        [step.reshaped(places, shape), step.constant([depth]), on, off])
    },
    ONNXOperator("TopK") { (step) throws(ApusError) in try step.greatest() },
    .plain("ArgMax") { (step) throws(ApusError) in try step.position(of: .maximum) },
    .plain("ArgMin") { (step) throws(ApusError) in try step.position(of: .minimum) },
    .plain("CumSum") { (step) throws(ApusError) in
      let sum = CumulativeSum(exclusive: try step.flag("exclusive"), reverse: try step.flag("reverse"))
      return try step.add(sum, [step.plain(0), step.constant([step.integer(1, "the axis")])])
    },
    .plain("Trilu") { (step) throws(ApusError) in
      let isUpper = try step.flag("upper", default: true)
      let diagonal = step.has(1) ? try step.integer(1, "the diagonal") : 0
      let x = try step.plain(0)
      let type = step.type(of: x)
      guard type.shape.rank >= 2 else {
        throw ApusError(.malformedModel, "shape \(type.shape)", expected: "a matrix")
      }
      let (rows, columns) = (type.shape[type.shape.rank - 2], type.shape[type.shape.rank - 1])
      try ONNXStep.requireFew([rows, columns].saturatingProduct, "elements of a mask")
      let mask = try Tensor(TensorType(.bool, Shape([rows, columns]))) { target in
        for row in 0..<rows {
          for column in 0..<columns {
            // No sum that a diagonal of the file could overflow.
            let distance = column - row
            target[row * columns + column] = (isUpper ? distance >= diagonal : distance <= diagonal) ? 1 : 0
          }
        }
      }
      let zero = step.constant(try Tensor(TensorType(type.dataType, .scalar)) { _ in })
      return try step.add(Select(broadcasts: true), [step.constant(mask), x, zero])
    },
  ]
}

extension ONNXStep {
  fileprivate func requireNoReduction() throws(ApusError) {
    let reduction = try text("reduction", default: "none")
    guard ExactText(reduction) == "none" else {
      throw ApusError(.unsupportedModel, "the reduction '\(reduction.clipped)'", expected: "none")
    }
  }

  /// Rows of indices, each of which names a slice by its leading axes: negative ones count from the end.
  /// - Parameter batch: leading axes that indices and slices have in common, so that they are not listed.
  fileprivate func sliceIndices(_ index: Int, into shape: Shape, batch: Int = 0) throws(ApusError) -> Value {
    let indices = try cast(plain(index), to: .int64)
    let extents = type(of: indices).shape.dimensions
    guard let depth = extents.last, (0..<extents.count).contains(batch), batch + depth <= shape.rank,
      extents[..<batch] == shape.dimensions[..<batch]
    else {
      throw ApusError(
        .malformedModel, "indices of shape \(type(of: indices).shape) into shape \(shape)",
        expected: "a last dimension of at most \(shape.rank - batch)")
    }
    let named = try constant(Array(shape.dimensions[batch..<(batch + depth)]))
    let isNegative = try add(Compare(.less), [indices, constant([0])])
    let wrapped = try add(Select(broadcasts: true), [isNegative, add(Add(), [indices, named]), indices])
    guard batch > 0 else { return wrapped }
    var parts: [Value] = []
    for axis in 0..<batch {
      try Self.requireFew(extents[axis], "rows of indices")
      var line = [Int](repeating: 1, count: extents.count)
      line[axis] = extents[axis]
      let places = try reshaped(constant(Array(0..<extents[axis])), line)
      parts.append(try add(BroadcastTo(), [places, constant(extents.dropLast() + [1])]))
    }
    return try add(Concatenation(axis: -1), parts + [wrapped])
  }

  /// The slice that one known index chooses among those of computed floats; nil of other indices.
  fileprivate func chosenSlice() throws(ApusError) -> Value? {
    guard let index = try known(1), index.shape.rank == 0, try dataType(0) == .float32 else { return nil }
    let x = try plain(0)
    let shape = type(of: x).shape
    let axis = try shape.axis(integer("axis"))
    let place = try index.integers()[0]
    guard translation.constant(of: x) == nil, (-shape[axis]..<shape[axis]).contains(place) else { return nil }
    var (begin, size) = ([Int](repeating: 0, count: shape.rank), shape.dimensions)
    (begin[axis], size[axis]) = (place < 0 ? place + shape[axis] : place, 1)
    let slice = try add(Slice(), [x, constant(begin), constant(size)])
    size.remove(at: axis)
    return try reshaped(slice, size)
  }

  /// A box with steps; bounds are attributes before version 10 and operands since.
  fileprivate func sliced() throws(ApusError) -> Value {
    let shape = try shape(0)
    let starts: [Int]
    let ends: [Int]
    var axes: [Int]?
    var steps: [Int]?
    if version < 10 {
      (starts, ends, axes) = (try integers("starts") ?? [], try integers("ends") ?? [], try integers("axes"))
    } else {
      (starts, ends) = (try integers(1, "the starts"), try integers(2, "the ends"))
      axes = has(3) ? try integers(3, "the axes") : nil
      steps = has(4) ? try integers(4, "the steps") : nil
    }
    let listed = axes ?? Array(starts.indices)
    let strides = steps ?? [Int](repeating: 1, count: starts.count)
    guard ends.count == starts.count, listed.count == starts.count, strides.count == starts.count else {
      throw ApusError(
        .malformedModel,
        "\(starts.count) starts, \(ends.count) ends, \(listed.count) axes, \(strides.count) steps",
        expected: "as many of each")
    }
    var bounds = (
      begin: [Int](repeating: 0, count: shape.rank), end: shape.dimensions,
      step: [Int](repeating: 1, count: shape.rank)
    )
    var seen: Set<Int> = []
    for (index, named) in listed.enumerated() {
      let axis = try shape.axis(named)
      guard seen.insert(axis).inserted else {
        throw ApusError(.malformedModel, "axis \(named) twice", expected: "each axis at most once")
      }
      (bounds.begin[axis], bounds.end[axis]) = (starts[index].sliceBound, ends[index].sliceBound)
      bounds.step[axis] = strides[index].sliceBound
    }
    if bounds.step.allSatisfy({ $0 == 1 }) {
      var (begin, size) = (bounds.begin, bounds.end)
      for axis in 0..<shape.rank {
        let extent = shape[axis]
        let ends = [begin[axis], size[axis]].map { min(max($0 < 0 ? $0 + extent : $0, 0), extent) }
        (begin[axis], size[axis]) = (ends[0], max(0, ends[1] - ends[0]))
      }
      return try add(Slice(), [plain(0), constant(begin), constant(size)])
    }
    return try add(
      StridedSlice(), [plain(0), constant(bounds.begin), constant(bounds.end), constant(bounds.step)])
  }

  /// The greatest or least elements along an axis, and their positions.
  fileprivate func greatest() throws(ApusError) -> [ONNXValue?] {
    let shape = try shape(0)
    let axis = try shape.axis(integer("axis", default: -1))
    let isLargest = try flag("largest", default: true)
    passOver("sorted")
    let count = version < 10 ? try integer("k") : try integer(1, "k")
    var order = Array(0..<shape.rank)
    order.swapAt(axis, shape.rank - 1)
    var values = try transposed(plain(0), order)
    if !isLargest {
      guard [.float32, .int32, .int64].contains(type(of: values).dataType) else {
        throw ApusError(.unsupportedModel, "the least of \(type(of: values).dataType.rawValue)")
      }
      values = try add(UnaryMath(.negate), [values])
    }
    let found = try add(TopK(), [values, constant([count])], count: 2)
    let numbers = isLargest ? found[0] : try add(UnaryMath(.negate), [found[0]])
    return [
      ONNXValue(plain: try transposed(numbers, order), narrowType: narrowType),
      ONNXValue(plain: try transposed(cast(found[1], to: .int64), order)),
    ]
  }

  fileprivate func position(of kind: Extremum.Kind) throws(ApusError) -> Value {
    let shape = try shape(0)
    let axis = try shape.axis(integer("axis"))
    let keepsAxis = try flag("keepdims", default: true)
    var x = try plain(0)
    let isLast = try flag("select_last_index")
    if isLast { x = try add(Reverse(), [x, constant([axis])]) }
    var found = try add(ArgExtremum(kind, outputType: .int64), [x, constant([axis])])
    if isLast { found = try add(Subtract(), [constant([shape[axis] - 1]), found]) }
    var extents = shape.dimensions
    extents[axis] = 1
    if !keepsAxis { extents.remove(at: axis) }
    return try reshaped(found, extents)
  }
}

extension Int {
  /// A bound of a slice in 32 bits: beyond them all stand for the end of any axis.
  fileprivate var sliceBound: Int { Swift.min(Swift.max(self, Int(Int32.min) + 1), Int(Int32.max)) }
}
