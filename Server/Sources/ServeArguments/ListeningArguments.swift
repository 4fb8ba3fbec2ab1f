import ApusServer
import ArgumentParser
import FoundationEssentials

/// Where the server listens, and whom it answers.
struct ListeningArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The address to listen on; 0.0.0.0 for all of this computer's.", valueName: "address"))
  var host = ServerOptions.Address.standardHost

  @Option(help: ArgumentHelp("The port; 0 for any that is free.", valueName: "port"))
  var port = ServerOptions.Address.standardPort

  @Option(help: ArgumentHelp("Listen on a socket of the file system instead.", valueName: "path"))
  var unix: String?

  @Option(
    help: ArgumentHelp(
      "A name by which clients call the server, besides addresses and localhost.", valueName: "name"))
  var hostName: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with keys, a line each, one of which clients must send; lines that begin with # are passed over.",
      valueName: "file"))
  var apiKeyFile: String?

  @Flag(help: "Let everyone who may ask load and unload models (/v2/repository/models/NAME/load).")
  var allowModelControl = false

  @Option(
    help: ArgumentHelp(
      "A file with keys, a line each, with which models may be loaded and unloaded, and all else be asked.",
      valueName: "file"))
  var controlKeyFile: String?

  @Option(help: ArgumentHelp("The server's certificates, a PEM file: HTTPS.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("The key of the certificate, a PEM file.", valueName: "file"))
  var tlsKey: String?

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port \(port): expected 0 to 65535.") }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key belong together.")
    }
  }

  func options() throws -> ServerOptions {
    var options = ServerOptions()
    options.address = unix.map { .unixSocket($0) } ?? .host(host, port: port)
    options.hostNames = hostName
    if let tlsCert, let tlsKey { options.tls = .init(certificate: tlsCert, key: tlsKey) }
    try options.tls?.check()
    options.keys = try apiKeyFile.map { try LabelLines.read($0, "keys", hasComments: true) } ?? []
    options.allowsModelControl = allowModelControl
    options.controlKeys =
      try controlKeyFile.map { try LabelLines.read($0, "keys", hasComments: true) } ?? []
    return options
  }
}
