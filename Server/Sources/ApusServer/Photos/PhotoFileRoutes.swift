import Apus
import ApusPhotos
import ApusServing
import Dispatch
import Hummingbird
import NIOCore

/// `/api/photos/ID`: photographs of an index. Clients name them by numbers, never by paths, and nothing
/// is handed out but what was indexed.
struct PhotoFileRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.native

  var endpoints: [Endpoint] {
    [
      .get("/api/photos/{id}", "Returns a photograph.", "image/*", Schema.anything) { request, context in
        try await picture(request, try context.parameters.require("id"))
      },
      .get(
        "/api/photos/{id}/thumbnail", "Returns a photograph's thumbnail.", "image/jpeg", Schema.anything
      ) { request, context in
        try await thumbnail(request, try context.parameters.require("id"))
      },
    ]
  }

  /// The file itself where browsers show its format, else the whole picture as a JPEG.
  private func picture(_ request: Request, _ id: String) async throws -> Response {
    let (library, photo) = try await find(id)
    let format = photo.photo.format.flatMap(ImageFormat.init)
    guard let type = format.flatMap(Self.shownType) else {
      return try await request.response(version: photo.version + "-jpeg") {
        let lease = try lease(photo.photo.byteCount)
        defer { withExtendedLifetime(lease) {} }
        return Self.response(
          try await library.jpeg(of: photo, side: Self.largestSide, maximumBytes: 32 << 20), "image/jpeg")
      }
    }
    return try await request.response(version: photo.version) {
      let lease = try lease(min(photo.photo.byteCount, PhotoContent.pieceBytes))
      var response = Self.response([], type)
      response.body = Self.body(try await library.open(photo), lease)
      return response
    }
  }

  private func thumbnail(_ request: Request, _ id: String) async throws -> Response {
    let (library, photo) = try await find(id)
    return try await request.response(version: photo.version + "-small") {
      let lease = try lease(photo.photo.byteCount)
      defer { withExtendedLifetime(lease) {} }
      return Self.response(try await library.jpeg(of: photo, side: 320, maximumBytes: 20_000), "image/jpeg")
    }
  }

  /// Counts what is in memory of a photograph's file among the bytes of bodies.
  private func lease(_ byteCount: Int) throws(ServingError) -> BodyBudget.Lease {
    try BodyBudget.Lease(byteCount, of: state.bodies)
  }

  /// A file of which a piece is in memory, and counted, until its client has all, or has left.
  private static func body(_ content: PhotoContent, _ lease: BodyBudget.Lease) -> ResponseBody {
    ResponseBody(contentLength: content.byteCount) { writer in
      for number in 0..<content.pieceCount {
        try await writer.write(ByteBuffer(bytes: try await FileThreads.piece(number, of: content)))
      }
      try await writer.finish(nil)
      withExtendedLifetime(lease) {}
    }
  }

  private func find(_ id: String) async throws -> (PhotoLibrary, IndexedPhoto) {
    guard let photos = state.photos else {
      throw ServingError(.notFound, "The server has no photographs.")
    }
    return (photos, try await photos.photo(id))
  }

  /// Pixels of a side up to which phones and browsers show a JPEG.
  private static let largestSide = 8192

  /// - Returns: nil for formats that not all browsers show.
  private static func shownType(_ format: ImageFormat) -> String? {
    switch format {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .gif: "image/gif"
    case .avif: "image/avif"
    case .bmp: "image/bmp"
    case .heic, .tiff, .jpegXL, .jpeg2000: nil
    }
  }

  /// A browser takes the bytes for a picture and nothing else, whatever they are.
  private static func response(_ bytes: [UInt8], _ type: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type, .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; sandbox",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// Threads that wait for the disk: those of models are busy for as long as a run takes, and those of connections wait for
/// nothing.
enum FileThreads {
  private static let queues = (0..<4).map { DispatchQueue(label: "apus.files.\($0)") }

  /// A piece of a photograph's file.
  static func piece(_ number: Int, of content: PhotoContent) async throws -> [UInt8] {
    let queue = queues[Int(bitPattern: ObjectIdentifier(content)) >> 4 & 3]
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try content.piece(number) }) }
    }
  }
}
