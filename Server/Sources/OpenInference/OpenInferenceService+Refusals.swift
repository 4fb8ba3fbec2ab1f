import Apus
import ApusServing
import InferenceProtocol

extension OpenInferenceService {
  /// What a request gives that nothing of the model takes.
  static func refusal(
    of request: InferenceRequest, network: String?, by model: ServedModel, _ networks: [NetworkDescription]
  ) -> ServingError {
    let given = request.inputs.map(\.name)
    if given.isEmpty {
      return ServingError(
        .invalid, "The request has no inputs; model '\(model.name)' takes \(ways(of: model, networks)).")
    }
    if let network {
      let names = quoted(networks.map(\.name))
      return ServingError(
        .invalid, "Model '\(model.name)' has no network '\(network.clipped)', only \(names).")
    }
    let names = Set(given.map { ExactText($0) }).sorted().map(\.text.clipped).joined(separator: ", ")
    return ServingError(
      .invalid, "Model '\(model.name)' does not take (\(names)), but \(ways(of: model, networks)).")
  }

  /// What a request asks for that nothing gives of the model which takes its inputs.
  /// - Parameter calls: those that take them.
  static func refusal(
    ofOutputsOf request: InferenceRequest, by model: ServedModel, _ calls: [InferenceCall]
  ) -> ServingError {
    let given = request.inputs.map(\.name).joined(separator: ", ")
    let outputs = calls.map { $0.signature.outputs.map(\.name) }
    let known = outputs.flatMap { $0 }
    let names = Set(known.map { ExactText($0) })
    if let unknown = request.outputs.map(\.name).first(where: { !names.contains(ExactText($0)) }) {
      return ServingError(
        .invalid,
        "Model '\(model.name)' has no output '\(unknown.clipped)' for (\(given)), only \(quoted(known)).")
    }
    let together = unique(outputs.map(quoted)).joined(separator: ", or ")
    return ServingError(
      .invalid, "Model '\(model.name)' gives for (\(given)) in one request \(together).")
  }

  /// The inputs that go together, each list once.
  private static func ways(of model: ServedModel, _ networks: [NetworkDescription]) -> String {
    let calls = InferenceCall.allCases.filter { model.tasks.contains($0.task) }
    let lists = calls.map { $0.signature.inputs.map(\.name) } + networks.map { $0.inputs.map(\.name) }
    return unique(lists.map { "(\($0.joined(separator: ", ")))" }).joined(separator: " or ")
  }

  private static func quoted(_ names: [String]) -> String {
    unique(names).map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func unique(_ texts: [String]) -> [String] {
    var known: Set<ExactText> = []
    return texts.filter { known.insert(ExactText($0)).inserted }
  }
}
