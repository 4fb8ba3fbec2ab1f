import Testing

@testable import ServeArguments

@Suite struct ServeArgumentsTests {
  /// An index names its model.
  @Test func photographsNeedNoModel() throws {
    let arguments = try ServeArguments.parse(["--photos", "index", "--port", "0"])
    let options = try arguments.models.options()
    #expect(options.isEmpty)
    #expect(arguments.photographs.photos == "index")
    let both = try ServeArguments.parse(["--photos", "index", "--model", "owner/model"])
    #expect(both.models.model == ["owner/model"])
  }

  @Test func theModeOfASocketIsOctal() throws {
    func mode(_ text: String) throws -> UInt16? {
      try ServeArguments.parse(["--photos", "index", "--unix", "socket", "--unix-mode", text]).listening
        .options()
        .unixMode
    }
    #expect(try mode("660") == 0o660)
    #expect(try mode("0600") == 0o600)
    for wrong in ["", "66", "680", "1777", "0o660", "-60", "６６０"] {
      #expect(throws: (any Error).self) { try mode(wrong) }
    }
    #expect(throws: (any Error).self) {
      try ServeArguments.parse(["--photos", "index", "--unix-mode", "660"])
    }
  }

  @Test func thePublicAddressIsRead() throws {
    let options = try ServeArguments.parse(["--photos", "index", "--public-url", "https://example.org/apus/"])
      .listening.options()
    #expect(options.publicURL?.path == "/apus" && options.publicURL?.origin == "https://example.org")
  }

  @Test(arguments: ["--photos-model", "--photos-text-model"])
  func modelsOfAnIndexNeedIt(_ option: String) {
    #expect {
      try ServeArguments.parse(["--model", "owner/model", option, "clip"])
    } throws: { error in
      ServeArguments.message(for: error).contains("are for an index (--photos)")
    }
  }

  @Test(arguments: [["--port", "0"], ["--photos-model", "clip"], ["--lazy"]])
  func somethingIsServed(_ arguments: [String]) {
    #expect {
      try ServeArguments.parse(arguments)
    } throws: { error in
      let message = ServeArguments.message(for: error)
      let isUsage = ServeArguments.exitCode(for: error) == .validationFailure
      return isUsage && message.contains("Missing expected argument '--model <")
        && message.contains("'--photos <")
    }
  }
}
