import Apus
import Models
import TensorCore

/// A tensor of a model's file, and how far apart the numbers are that it can hold.
struct StoredNumbers {
  let tensor: Tensor
  /// The scales of a tensor that was packed in groups.
  private let groups: GroupScales?
  /// Where the classes stand; nil for what is read as it is stored.
  private let order: (axis: ClassAxis, classes: ClassOrder)?

  /// The axis along which the classes stand.
  private enum ClassAxis {
    case rows, columns
  }

  init(_ tensor: Tensor, groups: GroupScales? = nil) { self.init(tensor, groups, nil) }

  private init(_ tensor: Tensor, _ groups: GroupScales?, _ order: (axis: ClassAxis, classes: ClassOrder)?) {
    (self.tensor, self.groups, self.order) = (tensor, groups, order)
  }

  /// The same with the rows, and the same with the columns of a matrix in the places where another model has their
  /// classes: where there are as many. The last axis of a convolution's filters has no classes, but what it reads.
  func arranged(by classes: ClassOrder?) -> [StoredNumbers] {
    guard let classes else { return [] }
    let extents = tensor.shape.dimensions
    var arranged: [StoredNumbers] = []
    if extents.first == classes.count {
      arranged.append(StoredNumbers(tensor, groups, (axis: .rows, classes: classes)))
    }
    if extents.count == 2, extents.last == classes.count {
      arranged.append(StoredNumbers(tensor, groups, (axis: .columns, classes: classes)))
    }
    return arranged
  }

  /// The numbers at some positions.
  func realNumbers(_ range: Range<Int>) throws(ApusError) -> [Float] {
    guard let (axis, classes) = order, !range.isEmpty else { return try tensor.realNumbers(range) }
    switch axis {
    case .rows:
      let run = tensor.shape.elementCount / classes.count
      var numbers: [Float] = []
      var position = range.lowerBound
      while position < range.upperBound {
        let (row, column) = position.quotientAndRemainder(dividingBy: run)
        let count = min(run - column, range.upperBound - position)
        let start = classes.positions[row] * run + column
        numbers += try tensor.realNumbers(start..<(start + count))
        position += count
      }
      return numbers
    case .columns:
      let first = range.lowerBound / classes.count * classes.count
      let end = ((range.upperBound - 1) / classes.count + 1) * classes.count
      let rows = classes.arranged(try tensor.realNumbers(first..<end))
      return Array(rows[(range.lowerBound - first)..<(range.upperBound - first)])
    }
  }

  /// The step between numbers, of several the root of their mean square; none of floats.
  var steps: [Float] {
    let steps = rowSteps
    return steps.isEmpty ? [] : [Self.typical(steps)]
  }

  /// The step between numbers in each row, of several the root of their mean square; one where all rows have the same,
  /// none of floats.
  var rowSteps: [Float] {
    guard let groups, groups.rows > 0 else { return arranged(steps(along: 0), .rows) }
    let count = groups.scales.count / groups.rows
    let steps = (0..<groups.rows).map { Self.typical(groups.scales[($0 * count)..<(($0 + 1) * count)]) }
    return arranged(steps, .rows)
  }

  /// The step in each column, likewise.
  var columnSteps: [Float] {
    let columns = tensor.shape.dimensions.last ?? 1
    guard let groups, groups.rows > 0, groups.size > 0 else {
      return arranged(steps(along: tensor.shape.rank - 1), .columns)
    }
    let count = groups.scales.count / groups.rows
    let steps = (0..<count).map { group in
      Self.typical(stride(from: group, to: groups.scales.count, by: count).map { groups.scales[$0] })
    }
    return arranged((0..<columns).map { steps[$0 / groups.size] }, .columns)
  }

  /// Steps along an axis in the places of their slices.
  private func arranged(_ steps: [Float], _ axis: ClassAxis) -> [Float] {
    guard let order, order.axis == axis, steps.count == order.classes.count else { return steps }
    return order.classes.arranged(steps)
  }

  private func steps(along axis: Int) -> [Float] {
    guard let quantization = tensor.quantization else { return [] }
    return quantization.axis == axis ? quantization.scales : [quantization.scales.max() ?? 0]
  }

  private static func typical(_ scales: some Collection<Float>) -> Float {
    (scales.reduce(0) { $0 + $1 * $1 } / Float(max(scales.count, 1))).squareRoot()
  }
}
