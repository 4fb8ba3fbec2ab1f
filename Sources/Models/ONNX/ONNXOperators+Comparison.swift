import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Comparisons, logic, and choices by them.
  static let comparison: [ONNXOperator] = [
    .pair("Equal", Compare(.equal), keepsType: false),
    .pair("Less", Compare(.less), keepsType: false),
    .pair("LessOrEqual", Compare(.lessEqual), keepsType: false),
    .pair("Greater", Compare(.greater), keepsType: false),
    .pair("GreaterOrEqual", Compare(.greaterEqual), keepsType: false),
    .pair("And", LogicalBinary(.and)),
    .pair("Or", LogicalBinary(.or)),
    ONNXOperator("Xor") { (step) throws(ApusError) in
      guard try step.dataType(0) == .bool else {
        throw ApusError(.malformedModel, "operands of \(try step.dataType(0).rawValue)", expected: "bool")
      }
      return [try step.combined(step.input(0), step.input(1), Compare(.notEqual), keepsType: false)]
    },
    .map("Not", LogicalNot()),
    // What is no number differs from itself.
    ONNXOperator("IsNaN") { (step) throws(ApusError) in
      [try step.combined(step.input(0), step.input(0), Compare(.notEqual), keepsType: false)]
    },
    ONNXOperator("IsInf") { (step) throws(ApusError) in
      let (negative, positive) = (
        try step.flag("detect_negative", default: true), try step.flag("detect_positive", default: true)
      )
      let x = try step.input(0)
      let limit = ONNXValue(plain: try step.scalar(positive ? .infinity : -.infinity))
      switch (negative, positive) {
      case (true, true):
        return [try step.combined(step.mapped(x, UnaryMath(.abs)), limit, Compare(.equal), keepsType: false)]
      case (false, false):
        let isAny = try step.combined(x, limit, Compare(.greater), keepsType: false)
        return [try step.combined(isAny, isAny, Compare(.notEqual), keepsType: false)]
      default: return [try step.combined(x, limit, Compare(.equal), keepsType: false)]
      }
    },
    ONNXOperator("Where") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      let (operands, isChannelsLast) = try step.aligned([step.input(0), step.input(1), step.input(2)])
      return [
        step.value(
          try step.add(Select(broadcasts: true), operands), isChannelsLast: isChannelsLast,
          narrowType: step.narrowType)
      ]
    },
  ]
}
