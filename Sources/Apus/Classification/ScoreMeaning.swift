import Formats
import Graph
import Models
import TensorCore

/// What the numbers of a classifier's output are.
public enum ScoreMeaning: Sendable, Hashable {
  /// Probabilities, shown as they are.
  case probabilities
  /// Any numbers, of which softmax makes probabilities.
  case logits
  /// Any numbers, of which the logistic function makes a probability each: several classes may apply at once.
  case independentLogits
  /// What a regression gives, shown as it is.
  case quantities
}

extension ScoreMeaning {
  /// What a model folder says of its classes.
  init(_ scoring: ClassScoring) {
    self =
      switch scoring {
      case .softmax: .logits
      case .sigmoid: .independentLogits
      case .none: .quantities
      }
  }

  /// What the graph shows of its output: probabilities when a softmax or logistic function makes it, apart
  /// from operations that only store or arrange numbers, or when its integers stand for steps of 1/256 (or
  /// 1/32768) from 0. Nil when the graph does not tell.
  init?(ofOutput output: Int, of graph: Graph) {
    let value = graph.outputs[output]
    if Self.isProbabilityType(graph[value].type) {
      self = .probabilities
      return
    }
    var writers: [Value: Node] = [:]
    for node in graph.nodes {
      for result in node.outputs { writers[result] = node }
    }
    var current = value
    while let node = writers[current] {
      let name = node.operation.name
      if Self.probabilityOperations.contains(name) {
        self = .probabilities
        return
      }
      guard Self.arrangingOperations.contains(name), case let input?? = node.inputs.first else { return nil }
      current = input
    }
    return nil
  }

  private static let probabilityOperations: Set = ["softmax", "logistic"]
  private static let arrangingOperations: Set = [
    "reshape", "squeeze", "expandDimensions", "quantize", "dequantize", "requantize", "cast",
  ]

  private static func isProbabilityType(_ type: TensorType) -> Bool {
    guard let quantization = type.quantization, !quantization.isPerChannel else { return false }
    switch type.dataType {
    case .uint8: return quantization.scale == 1 / 256 && quantization.zeroPoint == 0
    case .int8: return quantization.scale == 1 / 256 && quantization.zeroPoint == -128
    case .int16: return quantization.scale == 1 / 32768 && quantization.zeroPoint == 0
    default: return false
    }
  }

  /// What the numbers themselves show, for graphs that spell softmax out: probabilities when two or more of
  /// them, none negative, add up to 1.
  init(of scores: [Float]) {
    let sum = scores.reduce(0.0) { $0 + Double($1) }
    let isDistribution = scores.count > 1 && scores.allSatisfy { $0 >= 0 } && abs(sum - 1) < 1e-3
    self = isDistribution ? .probabilities : .logits
  }
}
