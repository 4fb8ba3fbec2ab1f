import Formats
import Graph
import Models

/// The meaning of a classifier's outputs.
public enum ScoreMeaning: Sendable, Hashable {
  /// Probabilities of classes of which one applies, shown as they are.
  case probabilities
  /// Probabilities of one class each, shown as they are: several classes may apply at once.
  case independentProbabilities
  /// Any numbers, of which softmax makes probabilities.
  case logits
  /// Any numbers, of which the logistic function makes a probability each: several classes may apply at once.
  case independentLogits
  /// A regression's output, shown as it is.
  case quantities
}

extension ScoreMeaning {
  /// The score meaning stated by a model folder.
  init(_ scoring: ClassScoring) {
    self =
      switch scoring {
      case .softmax: .logits
      case .sigmoid: .independentLogits
      case .none: .quantities
      }
  }

  /// The meaning that the graph shows for its output; logits if it shows none. A single class has a probability of its own,
  /// because softmax would always give 1.
  /// - Parameter isCalibrated: whether the model's metadata make a probability of the score of each class.
  init(ofOutput output: Int, classCount: Int, of graph: Graph, isCalibrated: Bool = false) {
    guard !isCalibrated else {
      self = .independentProbabilities
      return
    }
    self =
      switch (graph.probabilities(in: graph.outputs[output]), classCount > 1) {
      case (.exclusive?, true): .probabilities
      case (.exclusive?, false), (.independent?, _): .independentProbabilities
      case (nil, true): .logits
      case (nil, false): .independentLogits
      }
  }

  /// Whether what is shown are shares of 1, which tell a sure answer from another.
  package var givesProbabilities: Bool { self != .quantities }

  /// Whether scores of one result say nothing of each other.
  package var isIndependent: Bool {
    switch self {
    case .independentProbabilities, .independentLogits, .quantities: true
    case .probabilities, .logits: false
    }
  }
}
