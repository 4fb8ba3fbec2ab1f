import Apus

extension String {
  /// What to listen on for this host: `localhost` is the loopback address by definition, also where no file of hosts and no
  /// resolver knows it (RFC 6761, section 6.3).
  package var hostToListenOn: String { ExactText(lowercased()) == "localhost" ? "127.0.0.1" : self }
}
