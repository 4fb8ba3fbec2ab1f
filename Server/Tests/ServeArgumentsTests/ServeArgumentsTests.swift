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
