import Formats
import Graph
import Models

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

  /// What the graph shows of its output: probabilities or, when it does not tell, nil.
  init?(ofOutput output: Int, of graph: Graph) {
    guard graph.holdsProbabilities(graph.outputs[output]) else { return nil }
    self = .probabilities
  }

  /// What the numbers themselves show, for graphs that spell softmax out: probabilities when two or more of
  /// them, none negative, add up to 1.
  init(of scores: [Float]) {
    let sum = scores.reduce(0.0) { $0 + Double($1) }
    let isDistribution = scores.count > 1 && scores.allSatisfy { $0 >= 0 } && abs(sum - 1) < 1e-3
    self = isDistribution ? .probabilities : .logits
  }
}
