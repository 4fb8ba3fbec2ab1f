import Formats
import Graph
import TensorCore

/// How windows lie over the two axes of pictures, or over the one of sequences, which are pictures of one row.
struct ONNXWindow {
  private(set) var kernel: [Int]
  private(set) var strides: [Int]
  private(set) var dilations: [Int]
  /// Before and after each axis.
  private(set) var before: [Int]
  private(set) var after: [Int]
  let extents: [Int]
  /// Whether it is one of sequences.
  let isSequence: Bool

  /// Reads the attributes that convolutions and pools share.
  /// - Parameters:
  ///   - kernel: the extents of a window.
  ///   - shape: of the operand, in the file's order.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for other than one or two axes.
  init(_ step: ONNXStep, kernel: [Int], over shape: Shape) throws(ApusError) {
    extents = Array(shape.dimensions.dropFirst(2))
    let count = extents.count
    guard count == kernel.count, shape.rank > 2 else {
      throw ApusError(
        .malformedModel, "windows of \(kernel) over \(shape)", expected: "an extent for each axis")
    }
    self.kernel = kernel
    strides = try step.integers("strides") ?? [Int](repeating: 1, count: count)
    dilations = try step.integers("dilations") ?? [Int](repeating: 1, count: count)
    let pads = try step.integers("pads") ?? [Int](repeating: 0, count: 2 * count)
    guard strides.count == count, dilations.count == count, pads.count == 2 * count,
      (strides + dilations + kernel).allSatisfy({ (1...(1 << 24)).contains($0) }),
      pads.allSatisfy({ (0...(1 << 24)).contains($0) })
    else {
      throw ApusError(
        .malformedModel, "kernel \(kernel), strides \(strides), dilations \(dilations), pads \(pads)",
        expected: "positive numbers for \(count) axes, and no negative pads")
    }
    (before, after) = (Array(pads[..<count]), Array(pads[count...]))
    isSequence = count == 1
    let padding = ExactText(try step.text("auto_pad", default: "NOTSET"))
    switch padding {
    case "NOTSET": break
    case "VALID": (before, after) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
    case "SAME_UPPER", "SAME_LOWER":
      for axis in 0..<count {
        let total = max(
          0,
          ((extents[axis] + strides[axis] - 1) / strides[axis] - 1) * strides[axis] + span(axis)
            - extents[axis])
        let less = total / 2
        (before[axis], after[axis]) = padding == "SAME_UPPER" ? (less, total - less) : (total - less, less)
      }
    default: throw ApusError(.malformedModel, "the padding '\(padding)'", expected: "NOTSET, VALID or SAME_…")
    }
  }

  /// Elements that a window spans along an axis.
  func span(_ axis: Int) -> Int { (kernel[axis] - 1) * dilations[axis] + 1 }

  /// Rounds the number of windows up: pads behind grow, but for windows that would lie in them with all they have.
  mutating func roundUp() {
    for axis in extents.indices {
      let whole = extents[axis] + before[axis] + after[axis]
      guard whole >= span(axis) else { continue }
      var count = (whole - span(axis) + strides[axis] - 1) / strides[axis] + 1
      if (count - 1) * strides[axis] >= extents[axis] + before[axis] { count -= 1 }
      after[axis] = max(after[axis], (count - 1) * strides[axis] + span(axis) - extents[axis] - before[axis])
    }
  }

  /// Takes the pads away, which somebody else has put there.
  func withoutPads(over padded: [Int]) -> ONNXWindow {
    var window = self
    window.before = [Int](repeating: 0, count: before.count)
    // What rounding up asks for beyond them stays.
    window.after = [Int](repeating: 0, count: after.count)
    return window
  }

  var padding: Padding {
    isSequence
      ? .explicit(top: 0, bottom: 0, left: before[0], right: after[0])
      : .explicit(top: before[0], bottom: after[0], left: before[1], right: after[1])
  }

  /// Numbers of the two axes of pictures.
  func pair(_ numbers: [Int]) -> (height: Int, width: Int) {
    isSequence ? (1, numbers[0]) : (numbers[0], numbers[1])
  }

  var attributes: ConvolutionAttributes {
    ConvolutionAttributes(
      padding: padding, strideY: pair(strides).height, strideX: pair(strides).width,
      dilationY: pair(dilations).height, dilationX: pair(dilations).width)
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for more than two axes.
  func requirePicture() throws(ApusError) {
    guard extents.count <= 2 else {
      throw ApusError(.unsupportedModel, "windows over \(extents.count) axes", expected: "one or two")
    }
  }
}

extension ONNXStep {
  /// A value with channels last as pictures: a sequence is a picture of one row.
  func picture(_ value: ONNXValue) throws(ApusError) -> Value {
    let held = try channelsLast(value)
    let shape = type(of: held).shape.dimensions
    return shape.count == 3 ? try reshaped(held, [shape[0], 1, shape[1], shape[2]]) : held
  }

  /// What an operation on pictures gives, in the rank of its operand.
  func value(ofPicture picture: Value, isSequence: Bool) throws(ApusError) -> ONNXValue {
    let shape = type(of: picture).shape.dimensions
    let held = isSequence ? try reshaped(picture, [shape[0], shape[2], shape[3]]) : picture
    return ONNXValue(channelsLast: held, narrowType: narrowType)
  }
}
