/// What the server's description says of routes whose answers are no JSON.
struct PlainDescription: EndpointList {
  var endpoints: [Endpoint] {
    [
      Self.get("/", "Gives the page.", "text/html"),
      Self.get("/health/live", "Whether the server runs.", "text/plain"),
      Self.readiness("/health"), Self.readiness("/health/ready"),
      Self.get("/metrics", "Gives measurements as Prometheus reads them.", "text/plain"),
      Self.get("/api/photos/{id}", "Gives a photograph.", "image/*", Schema.anything),
      Self.get(
        "/api/photos/{id}/thumbnail", "Gives a small JPEG of a photograph.", "image/jpeg", Schema.anything),
    ]
  }

  private static func readiness(_ path: String) -> Endpoint {
    var endpoint = get(path, "Whether all models answer.", "text/plain")
    endpoint.unavailableType = "text/plain"
    return endpoint
  }

  private static func get(
    _ path: String, _ summary: String, _ type: String, _ answer: JSONText = Schema.text
  ) -> Endpoint {
    var endpoint = Endpoint(method: .get, path: path, summary: summary, answer: answer, handler: nil)
    endpoint.answerType = type
    return endpoint
  }
}
