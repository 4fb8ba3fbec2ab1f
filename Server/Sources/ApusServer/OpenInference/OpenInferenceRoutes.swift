import FoundationEssentials
import Apus
import ApusServing
import HTTPTypes
import Hummingbird
import InferenceProtocol
import NIOCore
import OpenInference

/// The Open Inference Protocol, with binary tensors, as Triton's clients speak it.
///
/// Names of models may have slashes, so that what a path means is read from its end.
struct OpenInferenceRoutes {
  let state: ServerState
  private let service: OpenInferenceService

  init(state: ServerState) {
    self.state = state
    service = OpenInferenceService(state.models, serverVersion: ApusVersion.current)
  }

  func add(to router: Router<ServerContext>) {
    router.get("/v2") { _, _ in Response.json(service.metadata) }
    router.get("/v2/health/live") { _, _ in Response(status: .ok) }
    router.get("/v2/health/ready") { _, _ in Self.readiness(state.isReady) }
    router.get("/v2/models/**") { request, _ in try await description(request) }
    router.post("/v2/models/**") { request, _ in try await inference(request) }
    router.post("/v2/repository/index") { request, _ in try await repositoryIndex(request) }
    router.post("/v2/repository/models/**") { request, _ in try await repositoryModel(request) }
  }

  private static func readiness(_ isReady: Bool) -> Response {
    Response(status: isReady ? .ok : .serviceUnavailable)
  }

  private func description(_ request: Request) async throws -> Response {
    let segments = try Self.segments(of: request, after: "/v2/models/")
    if segments == ["stats"], (try? state.models.model("stats")) == nil {
      return .json(try service.statistics(of: nil, version: nil))
    }
    let address = try Self.address(segments)
    return switch address.action {
    case .metadata: .json(try await service.metadata(of: address.model, version: address.version))
    case .configuration:
      .json(try await service.configuration(of: address.model, version: address.version))
    case .statistics: .json(try service.statistics(of: address.model, version: address.version))
    case .ready: Self.readiness(try service.isReady(address.model, version: address.version))
    case .infer: throw ServingError(.invalid, "Inference is asked for with POST.")
    }
  }

  private func inference(_ request: Request) async throws -> Response {
    let address = try Self.address(try Self.segments(of: request, after: "/v2/models/"))
    guard address.action == .infer else {
      throw ServingError(.notFound, "There is nothing at POST \(request.uri.path).")
    }
    let headerLength = try Self.headerLength(of: request)
    let body = try await state.body(of: request)
    // What it takes of the server's memory counts until the answer is made.
    defer { withExtendedLifetime(body) {} }
    do {
      let inference = try InferenceRequest(body: body.bytes, headerLength: headerLength)
      let answer = try await service.infer(inference, on: address.model, version: address.version)
      return .inference(try answer.encoded(isBinary: inference.isBinary))
    } catch let error as InferenceProtocolError {
      throw ServingError(malformed: error)
    }
  }

  private func repositoryIndex(_ request: Request) async throws -> Response {
    do {
      let index = try RepositoryIndexRequest(body: try await state.body(of: request).bytes)
      return .json(service.repositoryIndex(readyOnly: index.readyOnly))
    } catch let error as InferenceProtocolError {
      throw ServingError(malformed: error)
    }
  }

  private func repositoryModel(_ request: Request) async throws -> Response {
    var segments = try Self.segments(of: request, after: "/v2/repository/models/")
    guard segments.count > 1, let action = segments.popLast(), ["load", "unload"].contains(action) else {
      throw ServingError(.notFound, "There is nothing at POST \(request.uri.path).")
    }
    let name = segments.joined(separator: "/")
    do {
      let wish = try RepositoryModelRequest(body: try await state.body(of: request).bytes)
      if action == "load" {
        try await service.load(name, changesModel: wish.changesModel)
      } else {
        try await service.unload(name)
      }
      return Response(status: .ok)
    } catch let error as InferenceProtocolError {
      throw ServingError(malformed: error)
    }
  }
}

extension OpenInferenceRoutes {
  /// What stands between the slashes of a path, decoded.
  private static func segments(
    of request: Request, after prefix: String
  ) throws(ServingError) -> [String] {
    var segments: [String] = []
    for part in request.uri.path.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: true)
    {
      guard let segment = String(part).removingPercentEncoding else {
        throw ServingError(.invalid, "The path \(request.uri.path) is not UTF-8 in percent encoding.")
      }
      segments.append(segment)
    }
    return segments
  }

  private static func address(_ segments: [String]) throws(ServingError) -> ModelAddress {
    guard let address = ModelAddress(segments) else {
      throw ServingError(.notFound, "The path names no model.")
    }
    return address
  }

  private static func headerLength(of request: Request) throws(ServingError) -> Int? {
    guard let text = request.headers[.inferenceHeaderLength] else { return nil }
    guard let length = Int(text) else {
      throw ServingError(.invalid, "Inference-Header-Content-Length is '\(text.prefix(40))', no number.")
    }
    return length
  }
}

extension HTTPField.Name {
  fileprivate static let inferenceHeaderLength =
    HTTPField.Name("Inference-Header-Content-Length") ?? .contentLength
}

extension Response {
  fileprivate static func inference(_ encoded: EncodedInference) -> Response {
    guard let headerLength = encoded.headerLength else { return .encodedJSON(encoded.body) }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/octet-stream", .inferenceHeaderLength: String(headerLength),
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: encoded.body)))
  }
}
