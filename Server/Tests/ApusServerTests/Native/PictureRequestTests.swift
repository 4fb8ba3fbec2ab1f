import Apus
@testable import ApusServer
import Testing

@Suite struct PictureRequestTests {
  private func request(
    _ body: [UInt8], _ type: String?, query: [(String, String)] = [],
    taking options: Set<PictureRequest.Option> = Set(PictureRequest.Option.allCases)
  ) throws -> PictureRequest {
    try PictureRequest(body, contentType: type, query: query, taking: options)
  }

  @Test func json() throws {
    let body = Array(
      #"{"model":"m","image":"data:image/png;base64,AQID","labels":["a, b","c"],"top_k":1}"#.utf8)
    let request = try request(body, "application/json; charset=utf-8")
    #expect(request.picture == [1, 2, 3])
    #expect(request.labels == ["a, b", "c"])
    #expect(request.model == "m")
    #expect(request.topK == 1)
  }

  /// The file itself may hold anything, line breaks and dashes too.
  @Test func forms() throws {
    let file: [UInt8] = [0, 13, 10, 45, 45, 255]
    var body = Array(
      "--xyz\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
        .utf8)
    body += file
    body += Array(
      "\r\n--xyz\r\ncontent-disposition: form-data; name=labels\r\n\r\na cat, a dog,,\r\n--xyz--\r\n".utf8)
    let request = try request(body, "multipart/form-data; boundary=xyz")
    #expect(request.picture == file)
    #expect(request.labels == ["a cat", "a dog"])
  }

  /// What looks like a boundary, and a preamble before the first; each file is what it was.
  @Test func formsAreFoundByTheirBoundaryAlone() throws {
    let head = "Content-Disposition: form-data; name=\"image\"\r\n\r\n"
    let files = ["", "\r", "\r\n", "\r\n--", "\r\n--xy", "\r\r\n--xyy\r\n-", "x--xyz", "\r\n\r\n--x\r\n--xz"]
    for (number, file) in files.enumerated() {
      for preamble in ["", "\r\n", "for old readers\r\n"] {
        let body = Array("\(preamble)--xyz\r\n\(head)\(file)\r\n--xyz--\r\nand behind it".utf8)
        let form = try MultipartForm(body, contentType: "multipart/form-data; boundary=xyz")
        #expect(form.parts.map(\.content) == [Array(file.utf8)], "\(number)")
      }
    }
    for broken in ["", "--xyz", "--xyz\r\n\(head)a", "--xyz\r\na\r\n--xyz--", "x--xyz\r\n\(head)a"] {
      #expect(throws: RequestFault.self) {
        try MultipartForm(Array(broken.utf8), contentType: "multipart/form-data; boundary=xyz")
      }
    }
  }

  /// A form costs little more than its file: at 130 ns a byte this took three seconds.
  @Test func longFormsAreReadAtOnce() throws {
    // Each byte could begin a boundary.
    let file = [UInt8](repeating: 13, count: 24_000_000)
    var body = Array("--xyz\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n".utf8)
    body += file
    body += Array("\r\n--xyz--\r\n".utf8)
    let begin = ContinuousClock.now
    let form = try MultipartForm(body, contentType: "multipart/form-data; boundary=xyz")
    #expect(ContinuousClock.now - begin < .seconds(1))
    #expect(form.parts.first?.content.count == file.count)
  }

  @Test func namesOfFilesMayHoldSemicolons() throws {
    let head = #"Content-Disposition: form-data; filename="x; name=labels.jpg"; name="image""#
    let body = Array("--xyz\r\n\(head)\r\n\r\nabc\r\n--xyz--\r\n".utf8)
    let request = try request(body, #"multipart/form-data; boundary="xyz""#)
    #expect(request.picture == Array("abc".utf8) && request.labels == nil)
  }

  @Test func files() throws {
    let request = try request(
      [1, 2], "image/jpeg", query: [("labels", "a"), ("labels", "b"), ("top_k", "2")])
    #expect(request == (try self.request([1, 2], nil, query: [("labels", "a,b"), ("top_k", "2")])))
    #expect(request.labels == ["a", "b"])
    #expect(request.topK == 2)
  }

  @Test func howScoresAreRead() throws {
    let reading = ZeroShotReading(scoring: .softmax, logitScale: 10)
    let json = #"{"image":"AQID","score":"softmax","logit_scale":10}"#
    #expect(try request(Array(json.utf8), "application/json").reading == reading)
    let query = [("score", "softmax"), ("logit_scale", "10")]
    #expect(try request([1], "image/png", query: query).reading == reading)
    #expect(try request([1], "image/png").reading == ZeroShotReading())
    let masked = try request([1], "image/png", query: [("mask_padding", "true")])
    #expect(masked.reading == ZeroShotReading(masksPadding: true))
    // What is added to products is the server's alone to say.
    let refused = [
      ("score", "max"), ("logit_scale", "inf"), ("logit_scale", "x"), ("mask_padding", "yes"),
      ("logit_bias", "1"),
    ]
    for (key, text) in refused {
      #expect(throws: RequestFault.self) { try request([1], "image/png", query: [(key, text)]) }
    }
  }

  @Test(arguments: [
    #"{"image":"AQID","score":"max"}"#, #"{"image":"AQID","logit_scale":"10"}"#,
    #"{"image":"AQID","logit_scale":1e39}"#, #"{"labels":["a"]}"#, #"{"image":5}"#, #"{"image":""}"#,
    #"{"image":"*"}"#,
    #"{"image":"AQID","labels":[]}"#,
    #"{"image":"AQID","labels":"a"}"#, #"{"image":"AQID","top_k":0}"#, #"{"image":"AQID","topk":1}"#,
  ])
  func wrongJSONIsRefused(_ body: String) {
    #expect(throws: RequestFault.self) { try request(Array(body.utf8), "application/json") }
  }

  @Test(arguments: [
    ("", "multipart/form-data"), ("", "multipart/form-data; boundary=x"),
    ("--x", "multipart/form-data; boundary=x"),
    ("--x\r\n\r\n--x--", "multipart/form-data; boundary=x"), ("--x--", "multipart/form-data; boundary=x"),
    ("--x\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\nabc", "multipart/form-data; boundary=x"),
    (
      "--x\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\nabc\r\n--x\r\nA: b\r\n\r\n\r\n--x--",
      "multipart/form-data; boundary=x"
    ),
    ("", "image/png"),
  ])
  func damagedFormsAreRefused(_ body: String, _ type: String) {
    #expect(throws: RequestFault.self) { try request(Array(body.utf8), type) }
  }

  @Test(arguments: [("image", "model"), ("model", "image")])
  func whatIsThereTwiceIsRefused(_ name: String, _ other: String) {
    let parts = [name, other, name].map { name in
      "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\nabc\r\n"
    }
    let body = Array((parts.joined() + "--x--").utf8)
    #expect { try request(body, "multipart/form-data; boundary=x") } throws: {
      ($0 as? RequestFault)?.field == name
    }
    #expect { try request([1], nil, query: [("top_k", "1"), ("model", "a"), ("top_k", "2")]) } throws: {
      ($0 as? RequestFault)?.field == "top_k"
    }
  }

  @Test func parametersInTheAddressAreForFilesAlone() throws {
    let form = "--x\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\nabc\r\n--x--"
    let bodies = [(#"{"image":"AQID"}"#, "application/json"), (form, "multipart/form-data; boundary=x")]
    for (body, type) in bodies {
      #expect(try request(Array(body.utf8), type).topK == nil)
      #expect { try request(Array(body.utf8), type, query: [("top_k", "1")]) } throws: {
        ($0 as? RequestFault)?.field == "top_k"
      }
    }
  }

  @Test func jsonMayBeginWithSpace() throws {
    let body = Array("\n  {\"image\":\"AQID\"}".utf8)
    #expect(try request(body, "application/x-www-form-urlencoded").picture == [1, 2, 3])
  }

  @Test func labelsAreNoFieldWhereClassesAreFixed() {
    #expect(throws: RequestFault.self) {
      try request([1], "image/png", query: [("labels", "a")], taking: [.model, .topK])
    }
    #expect(throws: RequestFault.self) { try request([1], "image/png", query: [("top_k", "1.5")]) }
  }
}

@Suite struct ClassifyRequestTests {
  @Test func whatTheAppSends() throws {
    let request = try ClassifyEmbeddingRequest(Array(#"{"embedding":[0.25,-1],"top_k":5}"#.utf8))
    #expect(request.embedding == [0.25, -1])
    #expect(request.topK == 5)
    #expect(request.labels == nil)
    #expect(request.reading == ZeroShotReading())
    let read = try ClassifyEmbeddingRequest(
      Array(#"{"embedding":[1],"score":"sigmoid","logit_scale":0.5}"#.utf8))
    #expect(read.reading == ZeroShotReading(scoring: .sigmoid, logitScale: 0.5))
  }

  @Test(arguments: [
    #"{}"#, #"{"embedding":[]}"#, #"{"embedding":[null]}"#, #"{"embedding":["1"]}"#, #"{"embedding":[1e39]}"#,
    #"{"embedding":1}"#, #"{"embedding":[1],"top_k":-1}"#, #"{"embedding":[1],"topk":1}"#,
    #"{"embedding":[1],"score":"max"}"#, #"{"embedding":[1],"logit_scale":[1]}"#,
  ])
  func whatIsWrongIsRefused(_ body: String) {
    #expect(throws: RequestFault.self) { try ClassifyEmbeddingRequest(Array(body.utf8)) }
  }
}
