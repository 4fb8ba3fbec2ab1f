import ApusServer
import ApusServing
import ArgumentParser

/// What the server takes on.
struct LimitArguments: ParsableArguments {
  // What holds where nothing is given.
  private static let server = ServerOptions()
  private static let models = ServingLimits()

  @Option(
    help: ArgumentHelp(
      "Largest request body, in MiB. Default: \(Self.server.bodyBytes >> 20), or 1/32 of the available memory or "
        + "--max-bodies if that is less.",
      valueName: "MiB"))
  var maxBody: Int?

  @Option(
    help: ArgumentHelp(
      "Total size of bodies in progress, in MiB. Default: \(Self.server.bodyBytesInAll >> 20), or 1/16 of the memory "
        + "if that is less, or --max-body if that is more.", valueName: "MiB"))
  var maxBodies: Int?

  @Option(help: ArgumentHelp("Most texts or pictures per request.", valueName: "n"))
  var maxItems = Self.models.itemsPerRequest

  @Option(
    help: ArgumentHelp(
      "Largest picture, in megapixels. Default: \(Self.models.images.pixels / 1_000_000), or what fits in a third of the "
        + "available memory if that is less.", valueName: "n"))
  var maxPixels: Int?

  @Option(
    help: ArgumentHelp("Most queued tokens per model; further requests get 429.", valueName: "n"))
  var maxWaitingTokens = Self.models.waitingTokens

  @Option(
    help: ArgumentHelp(
      "Most queued megapixels per model; further requests get 429.", valueName: "n"))
  var maxWaitingPixels = Self.models.waitingPixels / 1_000_000

  @Option(help: ArgumentHelp("Most tokens per batch.", valueName: "n"))
  var batchTokens = Self.models.batchTokens

  @Option(help: ArgumentHelp("Most open connections; further ones wait.", valueName: "n"))
  var maxConnections = Self.server.connections

  @Option(help: ArgumentHelp("Seconds a request may wait and run.", valueName: "s"))
  var requestTimeout = Self.models.requestTime / .seconds(1)

  @Option(help: ArgumentHelp("Seconds a request body may take to arrive.", valueName: "s"))
  var bodyTimeout = Self.server.bodyTime / .seconds(1)

  @Option(help: ArgumentHelp("Seconds before an idle connection is closed.", valueName: "s"))
  var idleTimeout = Self.server.idleTime / .seconds(1)

  @Option(
    help: ArgumentHelp("Seconds that requests in progress get on shutdown.", valueName: "s"))
  var drain = Self.server.drainTime / .seconds(1)

  @Option(help: ArgumentHelp("Memory for all models together, in MiB.", valueName: "MiB"))
  var maxMemory: Int?

  /// MiB of a request's body, and of all bodies, where so many bytes of memory can be had.
  func bodies(memory: Int) -> (one: Int, all: Int) {
    let usual = ServerOptions.bodyBytes(memory: memory)
    return (
      maxBody ?? min(max(1, usual.one >> 20), maxBodies ?? .max),
      maxBodies ?? max(1, usual.all >> 20, maxBody ?? 0)
    )
  }

  func validate() throws {
    let bodies = bodies(memory: .max)
    let counts = [
      bodies.one, bodies.all, maxItems, maxPixels ?? 1, maxWaitingTokens, maxWaitingPixels, batchTokens,
      maxConnections, maxMemory ?? 1,
    ]
    guard counts.allSatisfy({ (1...1 << 30).contains($0) }) else {
      throw ValidationError("limits are numbers from 1 to \(1 << 30).")
    }
    guard bodies.one <= bodies.all else {
      throw ValidationError(
        "--max-body \(bodies.one): all bodies together may take \(bodies.all) MiB (--max-bodies).")
    }
    guard [requestTimeout, bodyTimeout, idleTimeout, drain].allSatisfy({ $0 > 0 && $0 < 1e6 }) else {
      throw ValidationError("times are seconds, more than 0.")
    }
  }

  func apply(to options: inout ServerOptions, memory: Int) {
    let bodies = bodies(memory: memory)
    options.bodyBytes = bodies.one << 20
    options.bodyBytesInAll = bodies.all << 20
    options.connections = maxConnections
    options.bodyTime = .seconds(bodyTimeout)
    options.idleTime = .seconds(idleTimeout)
    options.drainTime = .seconds(drain)
  }

  func serving(memory: Int) -> ServingLimits {
    var limits = ServingLimits(memory: memory)
    limits.itemsPerRequest = maxItems
    if let maxPixels { limits.images.pixels = maxPixels * 1_000_000 }
    limits.images.fileBytes = bodies(memory: memory).one << 20
    limits.waitingTokens = maxWaitingTokens
    limits.waitingPixels = maxWaitingPixels * 1_000_000
    limits.batchTokens = batchTokens
    limits.requestTime = .seconds(requestTimeout)
    limits.modelBytes = maxMemory.map { $0 << 20 }
    return limits
  }
}
