import ApusServing
import Testing

@testable import ApusServer

@Suite struct OllamaRequestTests {
  private func embed(_ text: String) throws -> OllamaEmbedRequest { try OllamaEmbedRequest(Array(text.utf8)) }

  @Test func oneTextOrSeveral() throws {
    #expect(try embed(#"{"model":"m","input":"a"}"#).texts == ["a"])
    #expect(try embed(#"{"model":"m","input":["a","b"]}"#).texts == ["a", "b"])
    #expect(try embed(#"{"model":"m","input":[]}"#).texts == [])
    #expect(try embed(#"{"model":"m","input":""}"#).texts == [])
    #expect(try embed(#"{"model":"m"}"#).texts == [])
    #expect(try embed(#"{"model":"m","input":null}"#).texts == [])
    #expect(try OllamaEmbedRequest(prompt: Array(#"{"model":"m","prompt":"a"}"#.utf8)).texts == ["a"])
  }

  @Test func namesAreAsTheyStand() throws {
    #expect(try embed(#"{"model":"m:latest","input":"a"}"#).model == "m:latest")
    #expect(try embed(#"{"name":"m","input":"a"}"#).model == "m")
    #expect(try embed(#"{"model":"m:8b","input":"a"}"#).model == "m:8b")
  }

  /// Clients add the tag of the newest form by themselves, whatever they speak; a model may be called so, too.
  @Test func aModelIsFoundWithItsTagAndWithout() throws {
    let path = TestServer.fixtures + "/bert-sentence"
    let server = try ModelServer(
      ["m:latest", "m", "n", "o:8b"].map { ServedModelOptions(path, name: $0) })
    let names = ["m:latest", "m", "n:latest", "n", "o:8b"]
    let found = try names.map { try server.model($0).name }
    #expect(found == ["m:latest", "m", "n", "n", "o:8b"])
    #expect(throws: ServingError.self) { try server.model("o:latest") }
  }

  @Test func fieldsOfTheClient() throws {
    let request = try embed(
      #"{"model":"m","input":"a","truncate":false,"dimensions":8,"keep_alive":"5m","options":{"num_ctx":512}}"#
    )
    #expect(!request.truncates)
    #expect(request.dimensions == 8)
    #expect(request.contextLength == 512)
    #expect(try embed(#"{"model":"m","input":"a","keep_alive":-1}"#).truncates)
  }

  @Test(arguments: [
    (#"{"input":"a"}"#, "model"), (#"{"model":"","input":"a"}"#, "model"),
    (#"{"model":"m","input":5}"#, "input"), (#"{"model":"m","input":[5]}"#, "input[0]"),
    (#"{"model":"m","input":"a","options":[]}"#, "options"),
    (#"{"model":"m","input":"a","options":{"num_ctx":0}}"#, "options.num_ctx"),
    (#"{"model":"m","input":"a","keep_alive":true}"#, "keep_alive"),
    (#"{"model":"m","input":"a","truncate":"no"}"#, "truncate"),
  ])
  func whatIsWrongIsNamed(_ body: String, _ field: String) {
    #expect { try embed(body) } throws: { ($0 as? RequestFault)?.field == field }
  }
}
