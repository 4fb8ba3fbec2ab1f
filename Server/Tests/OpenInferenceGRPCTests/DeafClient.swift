import CLibrary
import Dispatch

/// A client of HTTP/2 that asks whether the server is live, and takes no byte of the answer: its windows have no room.
struct DeafClient {
  private let descriptor: Int32

  /// Connects and asks.
  /// - Parameter asks: whether it asks; else it says nothing at all.
  init(_ path: String, asks: Bool = true) async {
    descriptor = await Self.waiting {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(103)) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      _ = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { CLibrary.connect(descriptor, $0, size) }
      }
      let bytes = asks ? Self.question : []
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      return descriptor
    }
  }

  /// Whether the server closes the connection; false where that takes longer than 20 s.
  func isClosed() async -> Bool {
    await Self.waiting { [descriptor] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return count == 0 || errno == ECONNRESET }
      }
    }
  }

  func close() { _ = CLibrary.close(descriptor) }

  /// Waiting calls would hold up the server, whose work runs on Swift's own threads.
  private static func waiting<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client").async { continuation.resume(returning: call()) }
    }
  }
}

extension DeafClient {
  /// RFC 9113 and RFC 7541: an initial window of 0, the headers of a call and an empty message.
  private static var question: [UInt8] {
    // POST, http, then literals under the names 4 (:path), 1 (:authority), 31 (content-type) and one of their own.
    var headers: [UInt8] = [0x83, 0x86]
    headers += [0x04] + text("/inference.GRPCInferenceService/ServerLive")
    headers += [0x01] + text("a")
    headers += [0x0F, 0x10] + text("application/grpc")
    headers += [0x00] + text("te") + text("trailers")
    var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    bytes += frame(type: 4, flags: 0, stream: 0, [0, 4, 0, 0, 0, 0])
    bytes += frame(type: 1, flags: 4, stream: 1, headers)
    bytes += frame(type: 0, flags: 1, stream: 1, [0, 0, 0, 0, 0])
    return bytes
  }

  private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream]
    return head + payload
  }
}
