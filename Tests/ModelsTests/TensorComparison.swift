import Foundation
import Graph
import TensorCore

/// How far a result may be from what is expected.
enum Tolerance {
  /// Every bit the same.
  case exact
  /// Differences up to 1e-5 of the largest expected magnitude.
  case float32
}

extension Tensor {
  /// What is wrong with the tensor, or nil: integers must be the expected ones, floats within `.float32`.
  func difference(from expected: Tensor) throws -> String? {
    guard dataType == expected.dataType, shape == expected.shape else {
      return "\(dataType.rawValue)\(shape), expected \(expected.dataType.rawValue)\(expected.shape)"
    }
    guard dataType == .float32 else {
      guard !bytes.elementsEqual(expected.bytes) else { return nil }
      guard let found = try? integers(), let wanted = try? expected.integers() else { return "bytes differ" }
      let steps = zip(found, wanted).map { ($0 &- $1).magnitude }
      return "\(steps.count { $0 != 0 }) of \(steps.count) elements differ, by up to \(steps.max() ?? 0)"
    }
    return Self.difference(try elements(of: Float.self), try expected.elements(of: Float.self), .float32)
  }

  static func difference(_ found: [Float], _ expected: [Float], _ tolerance: Tolerance) -> String? {
    let largest = expected.lazy.filter(\.isFinite).map(\.magnitude).max() ?? 0
    let bound = tolerance == .exact ? 0 : 1e-5 * largest
    var worst: (index: Int, by: Float)?
    for (index, pair) in zip(found, expected).enumerated() {
      if pair.0 == pair.1 || (pair.0.isNaN && pair.1.isNaN) { continue }
      let by = (pair.0 - pair.1).magnitude
      // Of a NaN or an infinity where a number is expected the difference is no number.
      if !(by <= bound) {
        if let worst, by.isFinite, worst.by >= by { continue }
        worst = (index, by)
      }
    }
    return worst.map {
      "element \($0.index) is \(found[$0.index]), expected \(expected[$0.index]), off by"
        + " \($0.by / max(largest, .leastNormalMagnitude)) of the largest"
    }
  }
}
