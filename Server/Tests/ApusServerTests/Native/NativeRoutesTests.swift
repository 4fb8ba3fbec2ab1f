import ApusServing
import Foundation
import Hummingbird
import Testing

@testable import ApusServer

@Suite struct NativeRoutesTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared.get() }

  /// JSON, a form and the file itself are three ways to say the same.
  @Test func aPictureComesInThreeForms() async throws {
    let json =
      #"{"image":"\#(try Sample.base64())","labels":["two pink flowers","three red circles"],"top_k":1}"#
    var form = Array("--x\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\n".utf8)
    form += try Sample.picture()
    form += Array("\r\n--x\r\nContent-Disposition: form-data; name=\"labels\"\r\n\r\n".utf8)
    form += Array("two pink flowers, three red circles\r\n--x\r\n".utf8)
    form += Array("Content-Disposition: form-data; name=\"top_k\"\r\n\r\n1\r\n--x--\r\n".utf8)
    let query = "labels=two%20pink%20flowers&labels=three+red+circles&top_k=1"
    let answers = [
      try await server.post("/api/zero-shot", json),
      try await server.ask(.post, "/api/zero-shot", form, type: "multipart/form-data; boundary=x"),
      try await server.ask(.post, "/api/zero-shot?\(query)", try Sample.picture(), type: "image/png"),
    ]
    for answer in answers {
      #expect(answer.status == 200, "\(answer.text)")
      let results = try answer.json["results"]
      #expect(results?.list?.count == 1)
      #expect(results?[0]?["label"]?.string == "three red circles")
      #expect(results == (try answers[0].json["results"]))
    }
    #expect(try answers[0].json["scoring"]?.string == "sigmoid")
    #expect(try answers[0].json["milliseconds"]?["total"]?.double ?? 0 > 0)
  }

  /// What CLARA does: the client has the embedding, the server the labels.
  @Test func anEmbeddingIsScoredAsItsPicture() async throws {
    let embedded = try await server.ask(.post, "/api/embed-image", try Sample.picture(), type: "image/png")
      .json
    let vector = try #require(embedded["embedding"]?.doubles)
    let body = JSONText.object([("embedding", .vector(vector.map { Float($0) })), ("top_k", 5)]).bytes
    let answer = try await server.ask(.post, "/api/classify", body, type: "application/json").json
    let whole = try await server.ask(.post, "/api/zero-shot", try Sample.picture(), type: "image/png").json
    #expect(answer["results"]?.list?.count == 2)
    for index in 0..<2 {
      let (one, other) = (answer["results"]?[index], whole["results"]?[index])
      #expect(one?["label"]?.string == other?["label"]?.string)
      // The vector went through decimal digits and was brought to length 1 twice.
      #expect(abs((one?["score"]?.double ?? 0) - (other?["score"]?.double ?? 1)) < 1e-5)
    }
  }

  /// CLARA's own reading, softmax(10 · cosine), of a model that is trained for another.
  @Test func scoresAreReadAsTheRequestSays() async throws {
    let base64 = try Sample.base64()
    let own = try await server.post("/api/zero-shot", #"{"image":"\#(base64)"}"#).json
    let read = try await server.post(
      "/api/zero-shot", #"{"image":"\#(base64)","score":"softmax","logit_scale":10}"#
    ).json
    #expect(own["scoring"]?.string == "sigmoid" && read["scoring"]?.string == "softmax")
    let logits = try [0, 1].map { try #require(read["results"]?[$0]?["logit"]?.double) }
    // Cosines differ by at most 2, whatever the bias.
    #expect(logits[0] - logits[1] > 0 && logits[0] - logits[1] <= 20)
    let share = 1 / (1 + exp(logits[1] - logits[0]))
    #expect(abs((read["results"]?[0]?["score"]?.double ?? 0) - share) < 1e-5)
    let vector = try #require(
      try await server.ask(.post, "/api/embed-image", try Sample.picture(), type: "image/png")
        .json["embedding"]?.doubles)
    let body = JSONText.object([
      ("embedding", .vector(vector.map { Float($0) })), ("score", "softmax"), ("logit_scale", 10),
    ]).bytes
    let answer = try await server.ask(.post, "/api/classify", body, type: "application/json").json
    #expect(abs((answer["results"]?[0]?["score"]?.double ?? 0) - share) < 1e-5)
  }

  @Test func whereThereAreNoLabelsThatIsSaid() async throws {
    let server = try TestServer([ServedModelOptions(TestServer.root + "/Weights/scenes", name: "scenes")])
    let vector = try #require(
      try await server.ask(.post, "/api/embed-image", try Sample.picture(), type: "image/png")
        .json["embedding"]?.doubles)
    let body = JSONText.object([("embedding", .vector(vector.map { Float($0) }))]).bytes
    let answer = try await server.ask(.post, "/api/classify", body, type: "application/json")
    #expect(
      answer.status == 400 && answer.text.contains("--zero-shot-labels") && answer.text.contains("'labels'"))
    let picture = try await server.ask(.post, "/api/zero-shot", try Sample.picture(), type: "image/png")
    #expect(picture.status == 400 && picture.text.contains("--zero-shot-labels"))
    let narrow = try await server.post("/api/classify", #"{"embedding":[1,2]}"#)
    #expect(narrow.status == 400 && narrow.text.contains("has 2 numbers, expected \(vector.count)"))
  }

  @Test func classesOfPicturesAndTexts() async throws {
    let leaf = try await server.post("/api/classify-image", #"{"image":"\#(try Sample.base64())","top_k":2}"#)
      .json
    #expect(leaf["model"]?.string == "leaf")
    #expect(leaf["results"]?.list?.count == 2)
    let stars = try await server.post("/api/classify-text", #"{"text":"a cat"}"#).json
    #expect(
      stars["results"]?.list?.compactMap { $0["label"]?.string }.sorted() == ["1 star", "2 stars", "3 stars"])
  }

  /// What the label file says of a class, in all its languages.
  @Test func classesHaveWhatTheirLabelsSay() async throws {
    let leaf = try await server.post("/api/classify-image", #"{"image":"\#(try Sample.base64())"}"#).json
    #expect(leaf["results"]?.list?.compactMap { $0["index"]?.whole }.sorted() == [0, 1, 2])
    for result in try #require(leaf["results"]?.list) {
      for key in ["name", "description", "advice"] {
        for language in ["en", "th"] { #expect(result[key]?[language]?.string?.isEmpty == false) }
      }
    }
    #expect(leaf["probabilities"] == .bool(true))
    let stars = try await server.post("/api/classify-text", #"{"text":"a cat"}"#).json
    #expect(stars["results"]?[0]?["advice"] == nil && stars["probabilities"] == .bool(true))
  }

  /// A regression gives quantities of any size.
  @Test(arguments: ["bert-classifier", "vit"])
  func quantitiesAreNoProbabilities(_ fixture: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "apus-\(UUID())").path
    try FileManager.default.copyItem(atPath: "\(TestServer.fixtures)/\(fixture)", toPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = URL(filePath: folder + "/config.json")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let regression = text.replacing("\"id2label\"", with: "\"problem_type\": \"regression\", \"id2label\"")
    try Data(regression.utf8).write(to: file)
    let server = try TestServer([ServedModelOptions(folder, name: "regression")])
    let answer =
      fixture == "vit"
      ? try await server.ask(.post, "/api/classify-image", try Sample.picture(), type: "image/png")
      : try await server.post("/api/classify-text", #"{"text":"a cat"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try answer.json["probabilities"] == .bool(false), "\(answer.text)")
    #expect(try answer.json["uncertain"] == .bool(false))
  }

  /// The app shows a body to people as it is.
  @Test(arguments: [
    (#"{"top_k":5}"#, 400), (#"{"embedding":[1,2]}"#, 400), (#"{"embedding":[1],"model":"nothing"}"#, 404),
  ])
  func errorsForTheAppAreSentences(_ body: String, _ status: Int) async throws {
    let answer = try await server.post("/api/classify", body)
    #expect(answer.status == status)
    #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
    #expect(answer.text.hasSuffix(".") && !answer.text.contains("{"))
  }

  @Test(arguments: [
    ("/api/zero-shot", #"{"image":"AQID"}"#, 400), ("/api/zero-shot", #"{"labels":["a"]}"#, 400),
    ("/api/zero-shot", #"{"image":"AQID","model":"leaf"}"#, 400),
    ("/api/classify-text", #"{"text":"  "}"#, 400), ("/api/classify-text", #"{"text":"a","top_k":0}"#, 400),
    ("/api/nothing", "{}", 404),
  ])
  func errorsHaveTheirForm(_ path: String, _ body: String, _ status: Int) async throws {
    let answer = try await server.post(path, body)
    #expect(answer.status == status)
    #expect(try answer.json["error"]?.string?.isEmpty == false)
    #expect(try answer.json["request_id"]?.string == answer.headers[.requestID])
  }

  @Test func longAddressesAreClipped() async throws {
    for path in ["/api/", "/v2/repository/models/"] {
      let answer = try await server.post(path + String(repeating: "x", count: 10_000), "{}")
      #expect(answer.status == 404 && answer.bytes.count < 300, "\(path)")
    }
  }

  @Test func whyAModelIsNotThereIsTold() async throws {
    var options = ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars")
    options.threshold = 2
    let server = try TestServer([options])
    #expect(try await server.post("/v2/repository/models/stars/load", "").status >= 400)
    let model = try #require(try await server.get("/api/models").json["models"]?[0])
    #expect(model["state"]?.string == "failed")
    #expect(model["failure"]?.string?.contains("threshold") == true)
  }

  /// Each sample is a line, whatever a model is called.
  @Test func namesAreEscapedAmongMetrics() async throws {
    let name = "b\"\u{301}c\\"
    let server = try TestServer([ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: name)])
    let lines = try await server.get("/metrics").text.split(separator: "\n").filter {
      $0.hasPrefix("apus_waiting{")
    }
    #expect(lines.count == 3)
    for line in lines {
      #expect(Array(line.utf8).starts(with: #"apus_waiting{model="b\"\#u{301}c\\","#.utf8), "\(line)")
    }
  }

  @Test func whatIsServedIsTold() async throws {
    let status = try await server.get("/api/models").json
    #expect(
      status["models"]?.list?.compactMap { $0["name"]?.string } == ["sentence", "stars", "scenes", "leaf"])
    #expect(status["models"]?[0]?["tasks"]?.list?.contains(.string("text-embedding")) == true)
    #expect(status["memory"]?["limit"]?.whole ?? 0 > 0)
    #expect(status["privacy"]?["sealed"] == .bool(false))
  }
}
