import Apus
import ApusPhotos
import ApusServing
import Hummingbird
import NIOCore

/// `/api/search` and `/api/photos`: the photographs of an index. Clients name them by numbers; no path is ever taken from
/// anybody, and nothing is handed out but what was indexed.
struct PhotoRoutes {
  let state: ServerState

  func add(to router: Router<ServerContext>) {
    router.get("/api/photos") { _, _ in
      Response.json(try await state.photos?.overview() ?? PhotoOverview())
    }
    router.get("/api/search") { request, _ in
      try await search(PhotoSearchRequest(address: request.uri.query))
    }
    router.post("/api/search") { request, _ in
      try await search(PhotoSearchRequest(state.body(of: request).bytes))
    }
    router.get("/api/photos/{id}") { request, context in
      try await picture(request, try context.parameters.require("id"))
    }
    router.get("/api/photos/{id}/thumbnail") { request, context in
      try await thumbnail(request, try context.parameters.require("id"))
    }
  }

  private func search(_ request: PhotoSearchRequest) async throws -> Response {
    .json(PhotoSearchAnswer(try await library().search(request)))
  }

  /// The file itself where browsers show its format, else the whole picture as a JPEG.
  private func picture(_ request: Request, _ id: String) async throws -> Response {
    let library = try library()
    let photo = try await library.photo(id)
    let format = photo.photo.format.flatMap(ImageFormat.init)
    guard let type = format.flatMap(Self.shownType) else {
      return try await request.response(version: photo.version + "-jpeg") {
        Self.response(
          try await library.jpeg(of: photo, side: Self.largestSide, maximumBytes: 32 << 20), "image/jpeg")
      }
    }
    return try await request.response(version: photo.version) {
      Self.response(try await library.content(of: photo), type)
    }
  }

  private func thumbnail(_ request: Request, _ id: String) async throws -> Response {
    let library = try library()
    let photo = try await library.photo(id)
    return try await request.response(version: photo.version + "-small") {
      Self.response(try await library.jpeg(of: photo, side: 320, maximumBytes: 20_000), "image/jpeg")
    }
  }

  private func library() throws(ServingError) -> PhotoLibrary {
    guard let photos = state.photos else {
      throw ServingError(.notFound, "The server has no photographs.")
    }
    return photos
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
