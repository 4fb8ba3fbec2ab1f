import Apus
import Hummingbird

/// Stops the work for a client that is gone, gives one leave to send its body that waits for it, and has long answers written as
/// fast as they are read.
struct CancellingResponder<Base: HTTPResponder<ServerContext>>: HTTPResponder {
  let connections: Connections
  let base: Base

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard let connection = context.channel.flatMap({ connections[$0] }) else {
      return try await base.respond(to: request, context: context)
    }
    let request = request.givingLeave(on: connection.channel)
    let work = Task { try await base.respond(to: request, context: context) }
    connection.whenGone { work.cancel() }
    defer { connection.whenGone(nil) }
    var response = try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
    let id = response.headers[.requestID] ?? ""
    response.body = response.body.paced(on: connection.channel.eventLoop) { error in
      if let error = error as? ApusError {
        context.logger.warning(
          "an answer was cut short", metadata: ["request": "\(id)", "error": "\(error)"])
      } else {
        context.logger.info("the client left before its answer was whole", metadata: ["request": "\(id)"])
      }
    }
    return response
  }
}
