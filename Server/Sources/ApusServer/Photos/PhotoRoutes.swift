import Apus
import ApusPhotos
import ApusServing
import Hummingbird

/// `/api/search`: photographs of an index, found by sentences, by each other and by pictures.
struct PhotoRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.native

  var endpoints: [Endpoint] {
    var byAddress = Endpoint(
      method: .get, path: "/api/search", summary: "Finds photographs by sentences.",
      answer: PhotoSchemas.results
    ) { request, _ in
      try await search(PhotoSearchRequest(address: request.uri.query ?? "")).response
    }
    byAddress.query = PhotoSchemas.parameters
    return [
      byAddress,
      .post(
        "/api/search", "Finds photographs by sentences, by other photographs and by pictures.",
        takes: PhotoSchemas.request, answers: PhotoSchemas.results, of: state,
        reading: PhotoSearchRequest.init, search),
      .get("/api/photos", "Counts the photographs.", answers: PhotoSchemas.overview) { _ in
        guard let overview = try await state.photos?.overview() else { return ["photos": 0, "model": nil] }
        return ["photos": .integer(overview.photos), "model": .string(overview.model)]
      },
    ]
  }

  private func search(_ request: PhotoSearchRequest) async throws -> JSONText {
    guard let searches = state.searches else {
      throw ServingError(.notFound, "The server has no photographs.")
    }
    let pictures = request.picture.map { [Picture.encoded($0)] } ?? []
    let matches = try await searches.outcome(of: request, on: pictures)
    let results: JSONText = .array(matches.map(Self.result))
    guard request.minimum == .automatic, let note = state.photos?.minimumNote else {
      return ["results": results]
    }
    return ["results": results, "note": .string(note)]
  }

  private static func result(_ match: PhotoMatch) -> JSONText {
    [
      "id": .string(String(match.photo.id)), "path": .string(match.paths.first.map(FileName.readable) ?? ""),
      "score": .float(match.score), "taken": .optional(match.photo.taken),
      "width": match.photo.width.map { .integer($0) } ?? nil,
      "height": match.photo.height.map { .integer($0) } ?? nil,
    ]
  }
}
