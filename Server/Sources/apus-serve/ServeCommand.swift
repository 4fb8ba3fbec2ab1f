import Apus
import ArgumentParser
import ServeArguments

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus-serve",
    abstract: "Serves models over HTTP to existing clients, and a page to browsers.",
    discussion: """
      Listens on 127.0.0.1:8000 by default. Once it listens, the kernel blocks every outgoing connection: it can only \
      answer requests.

      Example: apus serve --model google/siglip-base-patch16-224 --model sentiment=Weights/sentiment@int8
      Example: apus serve --photos ~/.local/share/apus/photos
      Example: apus serve --models models.json

      The labels of a classifier lie beside its file (labels.txt, labels.json), or in it, or an entry of --models names \
      their file. gRPC is another program, apus-serve-grpc, which takes the same options and --grpc-port.

      --config FILE reads options from a file, one in each line as here without the dashes: port = 8000. What is given \
      here has the last word.
      """,
    version: ApusVersion.current)

  @OptionGroup var arguments: ServeArguments

  func run() async throws { try await arguments.serve() }

  static func main() async {
    ServeProgram.begin()
    await ServeProgram.run(Self.self)
  }
}
