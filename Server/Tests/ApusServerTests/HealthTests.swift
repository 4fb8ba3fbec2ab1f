@testable import ApusServer
import Testing

@Suite struct HealthTests {}
