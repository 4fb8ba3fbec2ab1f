import Apus
import ApusServing
import GRPCCore
import InferenceProtocol
import OpenInference

/// The protocol's calls.
struct InferenceRPCs: Inference_GRPCInferenceService.SimpleServiceProtocol {
  let service: OpenInferenceService
  let calls: Calls
  let observer: any RPCObserver
  let isReady: @Sendable () -> Bool

  func serverLive(
    request: Inference_ServerLiveRequest, context: ServerContext
  ) async throws -> Inference_ServerLiveResponse {
    .with { $0.live = true }
  }

  func serverReady(
    request: Inference_ServerReadyRequest, context: ServerContext
  ) async throws -> Inference_ServerReadyResponse {
    .with { $0.ready = !calls.isDraining && isReady() }
  }

  func modelReady(
    request: Inference_ModelReadyRequest, context: ServerContext
  ) async throws -> Inference_ModelReadyResponse {
    do throws(ServingError) {
      let ready = try service.isReady(request.name, version: request.version)
      return .with { $0.ready = ready }
    } catch {
      // As Triton's server says it: what there is not is not ready.
      guard error.kind == .notFound else { throw status(of: error, context) }
      return .with { $0.ready = false }
    }
  }

  func serverMetadata(
    request: Inference_ServerMetadataRequest, context: ServerContext
  ) async throws -> Inference_ServerMetadataResponse {
    Inference_ServerMetadataResponse(service.metadata)
  }

  func modelMetadata(
    request: Inference_ModelMetadataRequest, context: ServerContext
  ) async throws -> Inference_ModelMetadataResponse {
    try await answering(context) {
      Inference_ModelMetadataResponse(try await service.metadata(of: request.name, version: request.version))
    }
  }

  func modelConfig(
    request: Inference_ModelConfigRequest, context: ServerContext
  ) async throws -> Inference_ModelConfigResponse {
    try await answering(context) {
      let metadata = try await service.metadata(of: request.name, version: request.version)
      return .with { $0.config = Inference_ModelConfig(metadata) }
    }
  }

  func modelStatistics(
    request: Inference_ModelStatisticsRequest, context: ServerContext
  ) async throws -> Inference_ModelStatisticsResponse {
    let name = request.name.isEmpty ? nil : request.name
    return try await answering(context) {
      Inference_ModelStatisticsResponse(try service.statistics(of: name, version: request.version))
    }
  }

  func repositoryIndex(
    request: Inference_RepositoryIndexRequest, context: ServerContext
  ) async throws -> Inference_RepositoryIndexResponse {
    Inference_RepositoryIndexResponse(service.repositoryIndex(readyOnly: request.ready))
  }

  func repositoryModelLoad(
    request: Inference_RepositoryModelLoadRequest, context: ServerContext
  ) async throws -> Inference_RepositoryModelLoadResponse {
    try await answering(context) {
      let changesModel = RepositoryModelRequest.changesModel(request.parameters.keys)
      try await service.load(request.modelName, changesModel: changesModel)
      return Inference_RepositoryModelLoadResponse()
    }
  }

  func repositoryModelUnload(
    request: Inference_RepositoryModelUnloadRequest, context: ServerContext
  ) async throws -> Inference_RepositoryModelUnloadResponse {
    try await answering(context) {
      try await service.unload(request.modelName)
      return Inference_RepositoryModelUnloadResponse()
    }
  }

  func modelInfer(
    request: Inference_ModelInferRequest, context: ServerContext
  ) async throws -> Inference_ModelInferResponse {
    try await answering(context) { try await answer(request) }
  }

  /// Answers requests in their order. One that fails has an error for its answer, and the stream goes on. When the server
  /// stops, what is in work is answered, and nothing more is read.
  func modelStreamInfer(
    request: RPCAsyncSequence<Inference_ModelInferRequest, any Error>,
    response: RPCWriter<Inference_ModelStreamInferResponse>, context: ServerContext
  ) async throws {
    let reading = Task {
      for try await message in request {
        // Whoever stops reading has what was read answered all the same.
        try await Call.work {
          let answer = await streamed(message, context)
          try Task.checkCancellation()
          try await response.write(answer)
        }
      }
      try Task.checkCancellation()
    }
    do {
      try await withTaskCancellationHandler {
        try await withRPCCancellationHandler {
          try await reading.value
        } onCancelRPC: {
          reading.cancel()
        }
      } onCancel: {
        reading.cancel()
      }
    } catch is CancellationError where calls.isDraining && Call.current?.ending == nil {
      return
    }
  }

  private func streamed(
    _ message: Inference_ModelInferRequest, _ context: ServerContext
  ) async -> Inference_ModelStreamInferResponse {
    do throws(ServingError) {
      let answer = try await answer(message)
      return .with { $0.inferResponse = answer }
    } catch {
      tell(of: error, context)
      return .with {
        $0.errorMessage = error.message
        $0.inferResponse.id = message.id
      }
    }
  }

  private func answer(
    _ message: Inference_ModelInferRequest
  ) async throws(ServingError) -> Inference_ModelInferResponse {
    let request: InferenceRequest
    do throws(ApusError) { request = try InferenceRequest(message) } catch {
      throw ServingError(malformed: error)
    }
    return Inference_ModelInferResponse(
      try await service.infer(request, on: message.modelName, version: message.modelVersion))
  }
}

extension InferenceRPCs {
  private func answering<Answer>(
    _ context: ServerContext, _ body: () async throws -> Answer
  ) async throws -> Answer {
    do { return try await body() } catch let error as ServingError { throw status(of: error, context) }
  }

  private func status(of error: ServingError, _ context: ServerContext) -> RPCError {
    tell(of: error, context)
    return RPCError(error)
  }

  /// Tells the observer what clients are not told.
  private func tell(of error: ServingError, _ context: ServerContext) {
    guard error.isForLog else { return }
    observer.callFails(context.descriptor.fullyQualifiedMethod, error)
  }
}
