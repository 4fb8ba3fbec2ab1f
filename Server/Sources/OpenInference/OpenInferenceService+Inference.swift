import Apus
import ApusServing
import InferenceProtocol

extension OpenInferenceService {
  /// Runs a model.
  ///
  /// A request that names the protocol's own tensors (`image`, `text`, `labels`) has the model do its task; one that names
  /// the model's, or the parameter `network`, runs that network on them. Parameters are `top_k`, `truncate`,
  /// `mask_padding` and `network`.
  ///
  /// - Parameter version: nil or empty where the server chooses.
  /// - Throws: ``ServingError``.
  public func infer(
    _ request: InferenceRequest, on name: String, version: String?
  ) async throws(ServingError) -> InferenceResponse {
    let model = try model(name, version)
    let network = try wellFormed { () throws(ApusError) in try request.parameters.text("network")
    }
    let results: InferenceResults
    if network == nil, let call = InferenceCall(request, of: model.tasks) {
      results = try await call.results(request, on: model)
    } else {
      results = .tensors(try await tensors(request, on: model, network: network))
    }
    return InferenceResponse(
      model: model.name, version: Self.modelVersion, id: request.id, outputs: try results.outputs(request))
  }

  private func tensors(
    _ request: InferenceRequest, on model: ServedModel, network: String?
  ) async throws(ServingError) -> [InferenceTensor] {
    let given = Set(request.inputs.map { ExactText($0.name) })
    let networks = model.tasks.contains(.tensors) ? try await model.networks() : []
    let fitting = networks.filter { candidate in
      network.map { ExactText($0) == ExactText(candidate.name) }
        ?? given.isSubset(of: candidate.inputs.map { ExactText($0.name) })
    }
    let wanted = Set(request.outputs.map { ExactText($0.name) })
    let chosen =
      fitting.first { wanted.isSubset(of: $0.outputs.flatMap(\.names).map { ExactText($0) }) }
      ?? fitting.first
    guard !given.isEmpty, let chosen else {
      let calls = network == nil ? InferenceCall.all(taking: request.inputs.map(\.name), of: model.tasks) : []
      if !calls.isEmpty { throw model.failed(Self.refusal(ofOutputsOf: request, by: model, calls)) }
      throw Self.refusal(of: request, network: network, by: model, networks)
    }
    let known = Set(chosen.outputs.flatMap(\.names).map { ExactText($0) })
    if let unknown = request.outputs.first(where: { !known.contains(ExactText($0.name)) }) {
      throw model.failed(InferenceResults.noOutput(unknown.name, among: chosen.outputs.map(\.name)))
    }
    var inputs: [String: Tensor] = [:]
    for input in request.inputs { inputs[input.name] = try input.tensor() }
    let outputs = try await model.run(inputs, network: chosen.name)
    var tensors: [InferenceTensor] = []
    for (output, described) in zip(outputs, chosen.outputs) {
      // All names that are asked for; where none is, the output's own.
      let names =
        wanted.isEmpty ? [described.name] : described.names.filter { wanted.contains(ExactText($0)) }
      for name in names { tensors.append(try InferenceTensor(output.tensor, named: name)) }
    }
    return tensors
  }
}

extension TensorDescription {
  /// The names that a request may ask for it by: the one inside the model was the name of a folder's output in 0.1.
  fileprivate var names: [String] { name == innerName ? [name] : [name, innerName] }
}

extension InferenceTensor {
  /// The elements for a network.
  fileprivate func tensor() throws(ServingError) -> Tensor {
    guard let dataType = datatype.dataType else {
      throw ServingError(.invalid, "Input '\(name.clipped)' is BYTES, of which networks have no tensors.")
    }
    do throws(ApusError) {
      let type = TensorType(dataType, try Shape(shape.extents))
      return try bytes.withUnsafeBytes { bytes in
        Result { () throws(ApusError) in try Tensor(type, copying: bytes) }
      }.get()
    } catch {
      throw ServingError(.invalid, ServingError(error).message)
    }
  }

  /// The elements that a network gave.
  fileprivate init(_ tensor: Tensor, named name: String) throws(ServingError) {
    do throws(ApusError) {
      try self.init(
        name, InferenceDatatype(tensor.dataType), InferenceShape(tensor.shape.dimensions),
        bytes: tensor.withBytes { Array($0) }[...])
    } catch {
      throw ServingError(
        .failed, "Output '\(name)' is no tensor of the protocol: \(error.problem).")
    }
  }
}
