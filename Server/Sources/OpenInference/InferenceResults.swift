import Apus
import ApusServing
import InferenceProtocol

/// A class or label, and its score.
struct ScoredClass {
  let label: String
  let index: Int
  let score: Float

  /// As clients read it who ask for classes in the place of numbers.
  var text: String { "\(score):\(index):\(label)" }
}

/// The outputs, before a request's choice of outputs.
enum InferenceResults {
  /// Of each item its classes, the best first.
  case classes([[ScoredClass]])
  /// Of each item its vector.
  case vectors([[Float]])
  /// Tensors by the model's own names.
  case tensors([InferenceTensor])

  /// The tensors that a request asks for, in its order; all where it asks for none.
  /// - Throws: ``ServingError``: `invalid` for an output that there is not.
  func outputs(_ request: InferenceRequest) throws(ServingError) -> [InferenceTensor] {
    let outputs = try all()
    guard !request.outputs.isEmpty else { return outputs }
    var chosen: [InferenceTensor] = []
    for wanted in request.outputs {
      guard let output = outputs.first(where: { ExactText($0.name) == ExactText(wanted.name) }) else {
        throw Self.noOutput(wanted.name, among: outputs.map(\.name))
      }
      chosen.append(
        try wanted.classCount.map { (count) throws(ServingError) in
          try best(count, as: output)
        } ?? output)
    }
    return chosen
  }

  /// The refusal of an output that there is not.
  static func noOutput(_ name: String, among known: [String]) -> ServingError {
    let names = known.map { "'\($0)'" }.joined(separator: ", ")
    return ServingError(.invalid, "There is no output '\(name.clipped)', only \(names).")
  }

  private func all() throws(ServingError) -> [InferenceTensor] {
    do throws(ApusError) {
      switch self {
      case .classes(let rows):
        let shape = try InferenceShape([rows.count, rows.first?.count ?? 0])
        return [
          try InferenceTensor(InferenceCall.Names.scores, rows.joined().map(\.score), shape),
          try InferenceTensor(InferenceCall.Names.labels, rows.joined().map(\.label), shape),
        ]
      case .vectors(let rows):
        let shape = try InferenceShape([rows.count, rows.first?.count ?? 0])
        return [try InferenceTensor(InferenceCall.Names.embedding, Array(rows.joined()), shape)]
      case .tensors(let tensors): return tensors
      }
    } catch {
      throw ServingError(.failed, "The model's results do not make a tensor: \(error.problem).")
    }
  }

  /// The first classes of each item as texts.
  private func best(_ count: Int, as output: InferenceTensor) throws(ServingError) -> InferenceTensor {
    guard case .classes(let rows) = self, output.name == InferenceCall.Names.scores else {
      throw ServingError(.invalid, "Output '\(output.name)' has no classes, only numbers.")
    }
    return try wellFormed { () throws(ApusError) in
      let shape = try InferenceShape([rows.count, min(count, rows.first?.count ?? 0)])
      return try InferenceTensor(output.name, rows.flatMap { $0.prefix(count).map(\.text) }, shape)
    }
  }
}
