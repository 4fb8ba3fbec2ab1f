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
    service = OpenInferenceService(
      state.models, serverVersion: ApusVersion.current,
      allowsModelControl: state.options.allowsModelControl)
  }

  func add(to router: Router<ServerContext>) {
    answer(.get, "/v2", router) { _ in Response.json(service.metadata) }
    answer(.get, "/v2/health/live", router) { _ in Response.json(["live": true]) }
    answer(.get, "/v2/health/ready", router) { _ in try Self.readiness(state.isReady, "The server") }
    answer(.post, "/v2/repository/index", router, repositoryIndex)
    // The router makes HEAD of GET.
    for method in DescribedRoutes.methods where method != .head {
      router.on("/v2/models/**", method: method) { request, context in
        try await model(request, context)
      }
      router.on("/v2/repository/models/**", method: method) { request, context in
        guard request.method == .post else {
          return DescribedRoutes.refusal(of: request.method, [.post], context)
        }
        return try await repositoryModel(request, context)
      }
    }
  }

  /// Adds what answers the method of an address; others are refused.
  private func answer(
    _ method: HTTPRequest.Method, _ path: String, _ router: Router<ServerContext>,
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) {
    router.on(RouterPath(path), method: method) { request, _ in try await handler(request) }
    router.refuseMethods(but: [method], at: path)
  }

  private static func readiness(_ isReady: Bool, _ name: String) throws(ServingError) -> Response {
    guard isReady else { throw ServingError(.unavailable, "\(name) is not ready.") }
    return .json(["ready": true])
  }

  private func model(_ request: Request, _ context: ServerContext) async throws -> Response {
    let segments = try Self.segments(of: request, after: "/v2/models/")
    let ofAll = segments == ["stats"] && (try? state.models.model("stats")) == nil
    guard ofAll || !segments.isEmpty, let address = ModelAddress(segments) else {
      throw ServingError(.notFound, "The path names no model.")
    }
    let method: HTTPRequest.Method = address.action == .infer ? .post : .get
    guard [method].withHead.contains(request.method) else {
      return DescribedRoutes.refusal(of: request.method, [method], context)
    }
    let (name, version) = (address.model, address.version)
    return switch address.action {
    case _ where ofAll: .json(try service.statistics(of: nil, version: nil))
    case .metadata: .json(try await service.metadata(of: name, version: version))
    case .configuration: .json(try await service.configuration(of: name, version: version))
    case .statistics: .json(try service.statistics(of: name, version: version))
    case .ready: try Self.readiness(try service.isReady(name, version: version), "Model '\(name)'")
    case .infer: try await inference(request, address)
    }
  }

  private func inference(_ request: Request, _ address: ModelAddress) async throws -> Response {
    let headerLength = try Self.headerLength(of: request)
    try service.requireModel(address.model, version: address.version)
    return try await Self.wellFormed {
      try await state.withBody(
        of: request,
        reading: { (body) throws(ApusError) in
          try InferenceRequest(body: body, headerLength: headerLength)
        }
      ) { inference in
        let answer = try await service.infer(inference, on: address.model, version: address.version)
        return .inference(try answer.encoded(isBinary: inference.isBinary))
      }
    }
  }

  @Sendable private func repositoryIndex(_ request: Request) async throws -> Response {
    try await Self.wellFormed {
      try await state.withBody(
        of: request,
        reading: { (body) throws(ApusError) in try RepositoryIndexRequest(body: body) }
      ) { wish in .json(service.repositoryIndex(readyOnly: wish.readyOnly)) }
    }
  }

  private func repositoryModel(_ request: Request, _ context: ServerContext) async throws -> Response {
    var segments = try Self.segments(of: request, after: "/v2/repository/models/")
    guard segments.count > 1, let action = segments.popLast(), ["load", "unload"].contains(action) else {
      throw ServingError(.notFound, "There is nothing at POST \(request.uri.path.clipped).")
    }
    let isAllowed = KeyMiddleware(state.options).mayControl(request)
    guard state.options.allowsModelControl || isAllowed else {
      var response = context.response(ServingError(.invalid, OpenInferenceService.controlRefusal))
      response.status = .forbidden
      return response
    }
    let name = segments.joined(separator: "/")
    try service.requireModel(name, version: nil)
    return try await Self.wellFormed {
      try await state.withBody(
        of: request,
        reading: { (body) throws(ApusError) in try RepositoryModelRequest(body: body) }
      ) { wish in
        if action == "load" {
          try await service.load(name, changesModel: wish.changesModel, isAllowed: isAllowed)
        } else {
          try await service.unload(name, isAllowed: isAllowed)
        }
        return .json([String: String]())
      }
    }
  }

  private static func wellFormed(_ body: () async throws -> Response) async throws -> Response {
    do { return try await body() } catch let error as ApusError {
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
        throw ServingError(.invalid, "The path \(request.uri.path.clipped) is not UTF-8 in percent encoding.")
      }
      segments.append(segment)
    }
    return segments
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
