import Apus
import ArgumentParser
import ServeArguments

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus-serve",
    abstract: "Serves models over HTTP to the clients that people have, and a page to browsers.",
    discussion: """
      Listens on 127.0.0.1:8000 unless told otherwise. Once it listens, the kernel refuses it every call to anybody: it \
      can answer, and nothing else.

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
