import Hummingbird

/// Whether the server answers.
struct HealthRoutes {
  func add(to router: Router<BasicRequestContext>) {
    router.get("/health/live") { _, _ in HTTPResponse.Status.ok }
  }
}
