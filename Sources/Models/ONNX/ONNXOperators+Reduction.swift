import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// All elements along some axes made one.
  static let reduction: [ONNXOperator] = [
    .reduction("ReduceMean", .mean),
    .reduction("ReduceSum", .sum, axesSince: 13),
    .reduction("ReduceMax", .max),
    .reduction("ReduceMin", .min),
    .plain("ReduceProd") { (step) throws(ApusError) in try step.reduced(.product) },
    .plain("ReduceL1") { (step) throws(ApusError) in
      try step.reduced(.sum) { (x) throws(ApusError) in try step.add(UnaryMath(.abs), [x]) }
    },
    .plain("ReduceL2") { (step) throws(ApusError) in
      let sum = try step.reduced(.sum) { (x) throws(ApusError) in try step.add(Multiply(), [x, x]) }
      return try step.cast(
        step.add(UnaryMath(.sqrt), [step.cast(sum, to: .float32)]), to: step.type(of: sum).dataType)
    },
    .plain("ReduceSumSquare") { (step) throws(ApusError) in
      try step.reduced(.sum) { (x) throws(ApusError) in try step.add(Multiply(), [x, x]) }
    },
    .plain("ReduceLogSum") { (step) throws(ApusError) in
      try step.add(UnaryMath(.log), [step.reduced(.sum)])
    },
    .plain("ReduceLogSumExp") { (step) throws(ApusError) in
      try step.add(
        UnaryMath(.log),
        [step.reduced(.sum) { (x) throws(ApusError) in try step.add(UnaryMath(.exp), [x]) }])
    },
  ]
}

extension ONNXOperator {
  /// A reduction, of pictures in whichever order their axes are held.
  fileprivate static func reduction(_ name: String, _ kind: Reduce.Kind, axesSince since: Int = 18) -> Self {
    Self(name) { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      if let held = try step.reducedPicture(kind, axesSince: since) { return [held] }
      return [ONNXValue(plain: try step.reduced(kind, axesSince: since), narrowType: step.narrowType)]
    }
  }
}

extension ONNXStep {
  /// A reduction over height and width of a picture that is held with channels last; nil of any other.
  fileprivate func reducedPicture(_ kind: Reduce.Kind, axesSince since: Int) throws(ApusError) -> ONNXValue? {
    let source = try input(0)
    guard source.plain == nil, let held = source.channelsLast, type(of: held).dataType == .float32 else {
      return nil
    }
    let rank = type(of: held).shape.rank
    let axes = version < since ? try integers("axes") : has(1) ? try integers(1, "the axes") : nil
    guard let axes, Set(axes.map { $0 < 0 ? $0 &+ rank : $0 }) == Set(2..<rank), axes.count == rank - 2 else {
      return nil
    }
    passOver("noop_with_empty_axes")
    let keepsDimensions = try flag("keepdims", default: true)
    let reduction = Reduce(
      kind, axes: Array(1..<(rank - 1)), keepDimensions: keepsDimensions, reachesInfinity: true)
    return value(try add(reduction, [held]), isChannelsLast: keepsDimensions, narrowType: source.narrowType)
  }

  /// - Parameters:
  ///   - since: the version in which axes became an operand.
  ///   - prepare: what is done to elements before.
  fileprivate func reduced(
    _ kind: Reduce.Kind, axesSince since: Int = 18, _ prepare: ((Value) throws(ApusError) -> Value)? = nil
  ) throws(ApusError) -> Value {
    let rank = try shape(0).rank
    var axes = version < since ? try integers("axes") : has(1) ? try integers(1, "the axes") : nil
    let isIdentity = try flag("noop_with_empty_axes")
    let keepsNone = version >= since && isIdentity
    let keepsDimensions = try flag("keepdims", default: true)
    var x = try plain(0)
    let dataType = type(of: x).dataType
    let isTruth = dataType == .bool && (kind == .max || kind == .min)
    if !isTruth { x = try cast(x, to: dataType.computedType) }
    if let prepare { x = try prepare(x) }
    if axes?.isEmpty != false {
      if keepsNone { return try cast(x, to: dataType) }
      axes = Array(0..<rank)
    }
    let kind = isTruth ? kind == .max ? Reduce.Kind.any : .all : kind
    let reduction = Reduce(kind, axes: axes, keepDimensions: keepsDimensions, reachesInfinity: true)
    return try cast(add(reduction, [x]), to: dataType)
  }
}
