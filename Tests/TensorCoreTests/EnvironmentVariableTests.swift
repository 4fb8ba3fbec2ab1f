import TensorCore
import Testing

@Suite struct EnvironmentVariableTests {
  @Test func emptyIsNotSet() throws {
    for variable in EnvironmentVariable.allCases {
      #expect(variable.value(in: [variable.name: ""]) == nil)
      #expect(variable.value(in: [variable.name: "x"]) == "x")
      #expect(try variable.number(in: [variable.name: ""]) == nil)
    }
  }

  @Test func numbersAreRead() throws {
    #expect(try EnvironmentVariable.poolSize.number(in: ["APUS_POOL_SIZE": "256"]) == 256)
    #expect(try EnvironmentVariable.cacheLimit.number(in: ["APUS_CACHE_LIMIT": "0"]) == 0)
    #expect(try EnvironmentVariable.instructionSet.number(in: ["APUS_ISA": "x"]) == nil)
  }

  private static let refused: [(EnvironmentVariable, String)] = [
    (.poolSize, "0"), (.poolSize, "257"), (.poolSize, "x"), (.cacheLimit, "-1"), (.cacheLimit, "1G"),
    (.cacheLimit, "99999999999999999999"),
  ]

  @Test(arguments: EnvironmentVariableTests.refused)
  func whatIsNoNumberIsRefused(_ variable: EnvironmentVariable, _ text: String) {
    let error = #expect(throws: ApusError.self) { try variable.number(in: [variable.name: text]) }
    #expect(error?.kind == .argument && error?.location == "\(variable.name)=\(text)")
  }

  @Test func theCacheIsOnOrOff() throws {
    for text in ["on", "off", "OFF", ""] { try EnvironmentVariable.cache.check(in: ["APUS_CACHE": text]) }
    let error = #expect(throws: ApusError.self) {
      try EnvironmentVariable.cache.check(in: ["APUS_CACHE": "/var/cache/apus"])
    }
    #expect(error?.kind == .argument && error?.location == "APUS_CACHE=/var/cache/apus")
    #expect(error?.advice?.contains("XDG_CACHE_HOME") ?? false)
  }
}
