import Apus
import ApusServer
import ArgumentParser
import OpenInference
import OpenInferenceGRPC
import ServeArguments

@main
struct ServeGRPCCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus-serve-grpc",
    abstract: "Serves models as apus-serve does, and the Open Inference Protocol over gRPC besides.",
    discussion: """
      Listens on 127.0.0.1:8000 for HTTP and 8001 for gRPC unless told otherwise. The address, the keys, the certificate \
      and the limit of a body hold for both.
      """,
    version: ApusVersion.current)

  @OptionGroup var arguments: ServeArguments

  @Option(help: ArgumentHelp("The port for gRPC; 0 for any that is free.", valueName: "port"))
  var grpcPort = InferenceRPCServer.Options().port

  func validate() throws {
    guard (0...65_535).contains(grpcPort) else {
      throw ValidationError("--grpc-port \(grpcPort): expected 0 to 65535.")
    }
  }

  func run() async throws {
    let port = grpcPort
    try await arguments.serve { state, say in [try await Self.listen(port, state, say)] }
  }

  static func main() async {
    ServeProgram.begin()
    await ServeProgram.run(Self.self)
  }

  private static func listen(
    _ port: Int, _ state: ServerState, _ say: @Sendable (String) -> Void
  ) async throws -> InferenceRPCServer {
    var options = InferenceRPCServer.Options()
    if case .host(let host, _) = state.options.address { options.host = host }
    options.port = port
    options.keys = state.options.keys
    options.messageBytes = state.options.bodyBytes
    options.tls = state.options.tls.map { ($0.certificate, $0.key) }
    let service = OpenInferenceService(state.models, serverVersion: ApusVersion.current)
    let server = InferenceRPCServer(service, options) { state.isReady }
    let listening = try await server.start()
    say("listening for gRPC on \(options.host):\(listening)")
    return server
  }
}
