import Apus
import ApusServer
import ApusServing
import ArgumentParser
import Logging
import ServiceLifecycle

/// What a server is told on the command line, and the server that it makes.
public struct ServeArguments: ParsableArguments {
  @OptionGroup(title: "Models") var models: ModelArguments
  @OptionGroup(title: "Photographs") var photographs: PhotographArguments
  @OptionGroup(title: "Listening") var listening: ListeningArguments
  @OptionGroup(title: "Limits") var limits: LimitArguments

  @Option(
    help: ArgumentHelp(
      "Log level, on standard error: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "level"))
  var logLevel = Logger.Level.info

  @Option(
    help: ArgumentHelp(
      "Log format: text, or json with one object per line.",
      valueName: "format"))
  var logFormat = LogFormat.text

  @Flag(help: "Do not have the kernel refuse calls to the network.")
  var noSeal = false

  /// What holds where the command line says nothing.
  public init() {}

  /// Refuses to serve nothing. Photographs alone are something: their index names the model that they are searched with.
  public func validate() throws {
    guard !models.model.isEmpty || !models.models.isEmpty || photographs.photos != nil else {
      throw ValidationError(
        "Missing expected argument '--model <\(ModelArguments.form)> ...', '--models <file>' or '--photos <index>'"
      )
    }
    guard photographs.photos != nil || photographs.photosModel == nil && photographs.photosTextModel == nil
    else {
      throw ValidationError("--photos-model and --photos-text-model are for an index (--photos).")
    }
  }

  /// The address to listen on, or a name of this computer.
  public var host: String { listening.host }

  /// Whether the server listens on a socket of the file system, and not on that address.
  public var isOnUnixSocket: Bool { listening.unix != nil }

  /// Serves until a signal ends it.
  /// - Parameters:
  ///   - listeners: how many protocols have connections of their own, those of companions among them.
  ///   - companions: services that run beside it over the same models, and are stopped with it; what they listen
  ///     on is open when they are returned, before the process is sealed. They are made with what tells whoever started
  ///     the server something.
  public func serve(
    listeners: Int = 1,
    with companions:
      @escaping @Sendable (
        ServerState, _ say: @escaping @Sendable (String) -> Void
      ) async throws -> [any Service] = { _, _ in [] }
  ) async throws {
    var openFiles = OpenFiles(limit: OpenFiles.raiseLimit(), threads: HTTPServer.connectionThreads)
    HTTPServer.limitConnectionThreads(openFiles.threads)
    let (level, format) = (logLevel, logFormat)
    format.begin()
    LoggingSystem.bootstrap { label in
      var handler = format.handler(label: label)
      handler.logLevel = level
      return handler
    }
    var options = try listening.options()
    let memory = ServingLimits.memory
    limits.apply(to: &options, memory: memory)
    // Before what opens files: there, too few would look like something else.
    (openFiles.listeners, openFiles.hasPhotographs) = (listeners, photographs.photos != nil)
    options.connections = try openFiles.connections(options.connections)
    options.isSealed = !noSeal
    options.loadsModels = !models.lazy
    let server = try ModelServer(try models.options(), limits: limits.serving(memory: memory))
    let photos = try photographs.library(threads: models.threads)
    let logger = Logger(label: "apus")
    if options.connections < limits.maxConnections {
      logger.warning(
        "fewer connections than --max-connections at a time, as no more files may be open (ulimit -n)",
        metadata: [
          "connections": .stringConvertible(options.connections),
          "files": .stringConvertible(openFiles.limit),
        ])
    }
    let state = ServerState(server, options, photos: photos)
    let say: @Sendable (String) -> Void = { format.say($0, logger) }
    try await HTTPServer(state, logger: logger).run(beside: try await companions(state, say)) { address in
      say("listening on \(address)")
    }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
