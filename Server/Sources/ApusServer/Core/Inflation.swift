import Apus
import ApusServing
import CInflate

/// Unpacks what zlib packed.
enum Inflation {
  /// What a body is packed in.
  enum Coding: Sendable {
    case gzip, deflate

    /// - Parameter name: what the request says; nil for nothing.
    /// - Returns: nil when the body is not packed.
    /// - Throws: ``ServingError`` of kind `unsupportedCoding`.
    init?(_ name: String?) throws(ServingError) {
      switch name?.lowercased() {
      case nil, "", "identity": return nil
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      case let name?:
        throw ServingError(
          .unsupportedCoding, "The body is packed in '\(name.clipped)', expected gzip or deflate.")
      }
    }

    /// Whether what follows the end of packed bytes may be packed too (RFC 1952).
    fileprivate var hasMembers: Bool { self == .gzip }

    /// What zlib calls the form: 15 bits of window, and 16 more for gzip's header.
    private var windowBits: Int32 {
      switch self {
      case .gzip: 15 + 16
      case .deflate: 15
      }
    }

    /// The bytes that were packed.
    /// - Throws: ``ServingError``: `tooLarge` when they are more than `limit`, `invalid` when they are damaged.
    func inflated(_ bytes: [UInt8], limit: Int) async throws(ServingError) -> [UInt8] {
      try await WorkerThreads.run { (_) throws(ServingError) in
        try Inflation.inflated(bytes, windowBits, hasMembers: hasMembers, limit: limit)
      }
    }
  }

  /// What a body may be packed in, as `Accept-Encoding` says it.
  static let codings = "gzip, deflate"
  /// Bytes that are unpacked at a time.
  private static let step = 1 << 16

  private static func inflated(
    _ bytes: [UInt8], _ windowBits: Int32, hasMembers: Bool, limit: Int
  ) throws(ServingError) -> [UInt8] {
    guard bytes.count <= Int(UInt32.max) else { throw ServingError(.tooLarge, "The body is too long.") }
    var stream = z_stream()
    guard apus_inflate_begin(&stream, windowBits) == Z_OK else {
      throw ServingError(.unavailable, "There is no memory to unpack the body.")
    }
    defer { inflateEnd(&stream) }
    var input = bytes, output: [UInt8] = []
    // The wrapper around zlib's pointers: none leaves it, and zlib is told how many bytes are behind each.
    let result: Result<Void, ServingError> = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      var status = Z_OK
      while status == Z_OK {
        var produced = 0
        let part = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(step)
          status = inflate(&stream, Z_NO_FLUSH)
          produced = step - Int(stream.avail_out)
          count = produced
        }
        guard output.count + produced <= limit else {
          return .failure(
            ServingError(.tooLarge, "The body is longer than \(limit) bytes once it is unpacked."))
        }
        output += part
        if status == Z_STREAM_END, hasMembers, stream.avail_in > 0 { status = inflateReset(&stream) }
      }
      guard status == Z_STREAM_END, stream.avail_in == 0 else {
        return .failure(ServingError(.invalid, "The body cannot be unpacked: its bytes are damaged."))
      }
      return .success(())
    }
    try result.get()
    return output
  }
}
