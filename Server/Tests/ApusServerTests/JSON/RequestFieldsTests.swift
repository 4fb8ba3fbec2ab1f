@testable import ApusServer
import ApusServing
import Testing

@Suite struct RequestFieldsTests {
  /// One character may have any number of marks.
  @Test func errorsAreShortWhateverIsSent() {
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    for text in [marks, String(repeating: "a", count: 100_000)] {
      #expect(text.clipped.utf8.count < 200 && text.clipped.hasSuffix("…"))
    }
    #expect(String(repeating: "é", count: 40).clipped == String(repeating: "é", count: 40))
    #expect("".clipped == "")
  }

  private func fields(_ text: String) throws -> RequestFields { try RequestFields(body: Array(text.utf8)) }

  @Test func nullIsAsGoodAsAbsent() throws {
    let fields = try fields(#"{"a":null}"#)
    #expect(try fields.optionalText("a") == nil)
    #expect(throws: RequestFault(.field, "'a' is missing.", field: "a")) { try fields.text("a") }
  }

  @Test func otherKindsAreRefusedByName() throws {
    let fields = try fields(
      #"{"text":5,"flag":"true","count":0,"list":["a",2],"object":[],"vector":[1,1e39]}"#)
    #expect(throws: RequestFault(.field, "'text' is the number 5, expected a text.", field: "text")) {
      try fields.text("text")
    }
    #expect(
      throws: RequestFault(.field, "'flag' is the text \"true\", expected true or false.", field: "flag")
    ) {
      try fields.optionalFlag("flag")
    }
    #expect(
      throws: RequestFault(.field, "'count' is the number 0, expected a whole number from 1.", field: "count")
    ) {
      try fields.optionalCount("count")
    }
    #expect(throws: RequestFault(.field, "'list[1]' is the number 2, expected a text.", field: "list[1]")) {
      try fields.texts("list")
    }
    #expect(throws: RequestFault(.field, "'object' is a list of 0, expected an object.", field: "object")) {
      try fields.optionalFields("object")
    }
    #expect { try fields.vector("vector") } throws: { ($0 as? RequestFault)?.field == "vector[1]" }
  }

  @Test func namesOfInnerFieldsHaveTheirPlace() throws {
    let inner = try fields(#"{"parameters":{"truncate":1}}"#).fields("parameters")
    #expect(
      throws: RequestFault(
        .field, "'parameters.truncate' is the number 1, expected true or false.", field: "parameters.truncate"
      )
    ) { try inner.optionalFlag("truncate") }
  }

  @Test func bodiesAreObjects() {
    #expect(throws: RequestFault(.field, "The body is a list of 1, expected an object.")) {
      try fields("[1]")
    }
  }

  @Test func longTextsAreClippedInErrors() throws {
    let fields = try fields(#"{"flag":"\#(String(repeating: "x", count: 10_000))"}"#)
    #expect { try fields.optionalFlag("flag") } throws: { error in
      (error as? RequestFault).map { $0.message.count < 120 } ?? false
    }
  }
}
