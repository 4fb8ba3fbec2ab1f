import Apus
import ApusServing
import InferenceProtocol

extension OpenInferenceService {
  /// Runs a model.
  ///
  /// A request that names the protocol's own tensors (`image`, `text`, `labels`) has the model do its task; one that names
  /// the model's, or the parameter `network`, runs that network on them. Parameters are `top_k`, `truncate` and `network`.
  ///
  /// - Parameter version: nil or empty where the server chooses.
  /// - Throws: ``ServingError``.
  public func infer(
    _ request: InferenceRequest, on name: String, version: String?
  ) async throws(ServingError) -> InferenceResponse {
    let model = try model(name, version)
    let network = try wellFormed { () throws(InferenceProtocolError) in try request.parameters.text("network")
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
    let given = Set(request.inputs.map(\.name))
    let networks = model.tasks.contains(.tensors) ? try await model.networks() : []
    let chosen = networks.first { candidate in
      network.map { $0 == candidate.name } ?? given.isSubset(of: candidate.inputs.map(\.name))
    }
    guard let chosen else { throw Self.unknown(given, network, of: model, networks) }
    var inputs: [String: Tensor] = [:]
    for input in request.inputs { inputs[input.name] = try input.tensor() }
    let outputs = try await model.run(inputs, network: chosen.name)
    var tensors: [InferenceTensor] = []
    for output in outputs { tensors.append(try InferenceTensor(output)) }
    return tensors
  }

  private static func unknown(
    _ given: Set<String>, _ network: String?, of model: ServedModel, _ networks: [NetworkDescription]
  ) -> ServingError {
    if let network {
      let names = networks.map { "'\($0.name)'" }.joined(separator: ", ")
      return ServingError(
        .invalid, "Model '\(model.name)' has no network '\(network.clipped)', only \(names).")
    }
    let ways =
      InferenceCall.allCases.filter { model.tasks.contains($0.task) }.map { $0.signature.inputs.map(\.name) }
      + networks.map { $0.inputs.map(\.name) }
    let list = ways.map { "(\($0.joined(separator: ", ")))" }.joined(separator: " or ")
    let names = given.sorted().map(\.clipped).joined(separator: ", ")
    return ServingError(.invalid, "Model '\(model.name)' does not take (\(names)), but \(list).")
  }
}

extension InferenceTensor {
  /// The same elements for a network.
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
  fileprivate init(_ output: NamedTensors.Element) throws(ServingError) {
    let tensor = output.tensor
    do throws(InferenceProtocolError) {
      try self.init(
        output.name, InferenceDatatype(tensor.dataType), InferenceShape(tensor.shape.dimensions),
        bytes: tensor.withBytes { Array($0) }[...])
    } catch {
      throw ServingError(
        .failed, "Output '\(output.name)' is no tensor of the protocol: \(error.description).")
    }
  }
}
