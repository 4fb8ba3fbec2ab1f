import ApusServer
import ArgumentParser
import FoundationEssentials

/// Where the server listens, and whom it answers.
struct ListeningArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Address to listen on; 0.0.0.0 for all interfaces.", valueName: "address"))
  var host = ServerOptions.Address.standardHost

  @Option(help: ArgumentHelp("Port; 0 picks a free one.", valueName: "port"))
  var port = ServerOptions.Address.standardPort

  @Option(help: ArgumentHelp("Listen on a Unix socket instead.", valueName: "path"))
  var unix: String?

  @Option(
    help: ArgumentHelp(
      "Permissions of the socket, such as 660. Default: from the umask.", valueName: "mode"))
  var unixMode: String?

  @Option(
    help: ArgumentHelp(
      "Public address behind a proxy, such as https://example.org/apus.",
      valueName: "url"))
  var publicURL: String?

  @Option(
    help: ArgumentHelp(
      "Host name that clients may use, besides addresses and localhost; repeatable.", valueName: "name"))
  var hostName: [String] = []

  @Option(
    help: ArgumentHelp(
      "File of API keys, one per line; clients must send one. Lines starting with # are comments.",
      valueName: "file"))
  var apiKeyFile: String?

  @Flag(help: "Let all clients load and unload models (/v2/repository/models/NAME/load).")
  var allowModelControl = false

  @Option(
    help: ArgumentHelp(
      "File of admin keys, one per line; these may also load and unload models.",
      valueName: "file"))
  var controlKeyFile: String?

  @Option(help: ArgumentHelp("Certificate chain (PEM); enables HTTPS.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("Private key of the certificate (PEM).", valueName: "file"))
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
