import Hummingbird

/// The routes of all dialects that are described, and the description itself.
struct DescribedRoutes: EndpointList {
  let state: ServerState

  var endpoints: [Endpoint] {
    let lists: [any EndpointList] = [
      OpenAIRoutes(state: state), TextEmbeddingsRoutes(state: state), HuggingFaceRoutes(state: state),
      OllamaRoutes(state: state), NativeRoutes(state: state),
    ]
    let endpoints = lists.flatMap(\.endpoints)
    let description = OpenAPIDescription.text(of: endpoints)
    return endpoints + [
      .get("/openapi.json", "Describes the server.", answers: Schema.anything) { _ in description }
    ]
  }
}
