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
      """)

  @OptionGroup var arguments: ServeArguments

  func run() async throws { try await arguments.serve() }
}
