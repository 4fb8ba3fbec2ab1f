import ApusServing

/// What a server is told when it is started.
public struct ServerOptions: Sendable {
  /// Where it listens.
  public enum Address: Sendable, Hashable {
    /// An address or a name of this computer, and a port; 0 for any that is free.
    case host(String, port: Int)
    /// A socket of the file system, by its path.
    case unixSocket(String)

    /// This computer alone.
    public static let standardHost = "127.0.0.1"
    /// Where clients look who are told of no port.
    public static let standardPort = 8000
  }

  /// A certificate and its key, files in PEM form.
  public struct TLS: Sendable, Hashable {
    /// The file of the server's certificate, and of those that vouch for it.
    public let certificate: String
    /// The file of the certificate's key, not encrypted.
    public let key: String

    /// Files that are read when the server starts.
    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  /// Where it listens.
  public var address = Address.host(Address.standardHost, port: Address.standardPort)
  /// The rights of a socket of the file system, such as 0o660; nil for those that the process' umask leaves.
  public var unixMode: UInt16?
  /// The address by which browsers reach it through a proxy; nil where there is none.
  public var publicURL: PublicURL?
  /// Names besides addresses and `localhost` by which clients may call it, as they stand in `Host`.
  public var hostNames: [String] = []
  /// Keys of which clients must send one; none where nobody needs one.
  public var keys: [String] = []
  /// Whether every request that is let in may load and unload models.
  public var allowsModelControl = false
  /// Keys with which requests may load and unload models, and all else.
  public var controlKeys: [String] = []
  /// Nil for plain HTTP.
  public var tls: TLS?
  /// The bytes of a request's body.
  public var bodyBytes = 32 << 20
  /// The bytes of all bodies that are being read or worked on.
  public var bodyBytesInAll = 512 << 20
  /// How long the body of a request may take to come.
  public var bodyTime = Duration.seconds(30)
  /// How long a connection stays open on which nothing comes.
  public var idleTime = Duration.seconds(75)
  /// Connections at a time; more wait until one is closed.
  public var connections = 1024
  /// How long requests may go on when the server is told to stop.
  public var drainTime = Duration.seconds(30)
  /// Whether models are opened before the server listens for the first request.
  public var loadsModels = true
  /// Whether the process is sealed once it listens.
  public var isSealed = true
  /// What answers to requests that are cut have to get to their clients.
  var lastWords = Duration.seconds(1)

  /// The defaults for a machine that has memory enough.
  public init() {}

  /// The bytes of a request's body, and of all, where so many bytes can be had: what is made of a body takes several times
  /// its bytes.
  public static func bodyBytes(memory: Int) -> (one: Int, all: Int) {
    let usual = ServerOptions()
    return (min(usual.bodyBytes, max(1, memory / 32)), min(usual.bodyBytesInAll, max(1, memory / 16)))
  }
}
