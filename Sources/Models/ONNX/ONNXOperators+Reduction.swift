import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// All elements along some axes made one.
  static let reduction: [ONNXOperator] = [
    .plain("ReduceMean") { (step) throws(ApusError) in try step.reduced(.mean) },
    .plain("ReduceSum") { (step) throws(ApusError) in try step.reduced(.sum, axesSince: 13) },
    .plain("ReduceMax") { (step) throws(ApusError) in try step.reduced(.max) },
    .plain("ReduceMin") { (step) throws(ApusError) in try step.reduced(.min) },
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

extension ONNXStep {
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
