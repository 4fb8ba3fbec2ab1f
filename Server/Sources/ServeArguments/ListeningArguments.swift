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
      "The rights of that socket, such as 660. Default: those that the umask leaves.", valueName: "mode"))
  var unixMode: String?

  @Option(
    help: ArgumentHelp(
      "The address by which browsers reach the server through a proxy, such as https://example.org/apus.",
      valueName: "url"))
  var publicURL: String?

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
    guard unixMode == nil || unix != nil else {
      throw ValidationError("--unix-mode is for a socket of the file system (--unix).")
    }
    if let unixMode, Self.mode(unixMode) == nil {
      throw ValidationError("--unix-mode \(unixMode): expected three octal digits, such as 660.")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key belong together.")
    }
  }

  /// - Returns: nil for what is no mode of a file.
  private static func mode(_ text: String) -> UInt16? {
    let digits = text.utf8.count == 4 && text.hasPrefix("0") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 3, digits.utf8.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return UInt16(digits, radix: 8)
  }

  func options() throws -> ServerOptions {
    var options = ServerOptions()
    options.address = unix.map { .unixSocket($0) } ?? .host(host, port: port)
    options.unixMode = unixMode.flatMap(Self.mode)
    options.publicURL = try publicURL.map { try PublicURL($0) }
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
