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
      Listens on 127.0.0.1:8000 for HTTP and 8001 for gRPC unless told otherwise. The address, the keys, the certificate, \
      the size and the time of a body, the number of connections and the time of silent ones hold for both. With --unix, \
      gRPC has to be told where to listen: on a socket of its own (--grpc-unix), or on a port of --host (--grpc-port), which \
      every user of the computer can reach.
      """,
    version: ApusVersion.current)

  @OptionGroup var arguments: ServeArguments

  @Option(
    help: ArgumentHelp(
      "The port for gRPC; 0 for any that is free. Default: \(InferenceRPCServer.Options.Address.standardPort), "
        + "but none with --unix.", valueName: "port"))
  var grpcPort: Int?

  @Option(help: ArgumentHelp("Have gRPC listen on a socket of the file system instead.", valueName: "path"))
  var grpcUnix: String?

  func validate() throws {
    if let grpcPort, !(0...65_535).contains(grpcPort) {
      throw ValidationError("--grpc-port \(grpcPort): expected 0 to 65535.")
    }
    guard grpcPort == nil || grpcUnix == nil else {
      throw ValidationError("--grpc-port and --grpc-unix: gRPC listens on one of them.")
    }
    guard !arguments.isOnUnixSocket || grpcPort != nil || grpcUnix != nil else {
      throw ValidationError("--unix: gRPC needs --grpc-unix PATH beside it, or --grpc-port PORT.")
    }
  }

  func run() async throws {
    let address: InferenceRPCServer.Options.Address =
      if let grpcUnix {
        .unixSocket(grpcUnix)
      } else {
        .host(arguments.host, port: grpcPort ?? InferenceRPCServer.Options.Address.standardPort)
      }
    try await arguments.serve(listeners: 2) { state, say in [try await Self.listen(address, state, say)] }
  }

  static func main() async {
    ServeProgram.begin()
    await ServeProgram.run(Self.self)
  }

  private static func listen(
    _ address: InferenceRPCServer.Options.Address, _ state: ServerState, _ say: @Sendable (String) -> Void
  ) async throws -> InferenceRPCServer {
    if case .unixSocket(let path) = address { try ServerOptions.Address.unixSocket(path).check() }
    var options = InferenceRPCServer.Options()
    options.address = address
    options.keys = state.options.keys
    options.messageBytes = state.options.bodyBytes
    options.messageTime = state.options.bodyTime
    options.connections = state.options.connections
    options.idleTime = state.options.idleTime
    options.tls = state.options.tls.map { ($0.certificate, $0.key) }
    let service = OpenInferenceService(
      state.models, serverVersion: ApusVersion.current,
      allowsModelControl: state.options.allowsModelControl)
    let server = try InferenceRPCServer(service, options, observer: CallLog(state: state)) { state.isReady }
    let port = try await server.start()
    say("listening for gRPC on \(address.text(port))")
    return server
  }
}
