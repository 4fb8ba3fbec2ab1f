import Apus
import InferenceProtocol
import Testing

@Suite struct InferenceRequestBodyTests {
  /// As tritonclient 2.73 sends `np.array([[1, 2, 3, 4]], np.float32)`.
  private static let header = """
    {"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}],\
    "parameters":{"binary_data_output":true}}
    """
  private static let numbers: [UInt8] = [0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64]

  @Test func bytesBehindTheHeaderAreTheInputs() throws {
    #expect(Self.header.utf8.count == 135)
    let request = try InferenceRequest(body: Self.header.utf8 + Self.numbers, headerLength: 135)
    #expect(request.inputs.count == 1)
    #expect(try request.inputs[0].shape == InferenceShape([1, 4]))
    #expect(Array(request.inputs[0].bytes) == Self.numbers)
    #expect(request.prefersBinary)
    #expect(request.id == nil)
  }

  @Test(arguments: [0, 1, 134, 136, 151, 152, -1, .max, .min])
  func headerLengthsThatLieAreRefused(length: Int) {
    #expect(throws: ApusError.self) {
      try InferenceRequest(body: Self.header.utf8 + Self.numbers, headerLength: length)
    }
  }

  @Test(arguments: [
    "0", "15", "17", "-16", "16.0", "1e1", "\"16\"", "9223372036854775807", "99999999999999999999", "true",
  ])
  func sizesThatLieAreRefused(size: String) {
    let header = """
      {"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":\(size)}}]}
      """
    #expect(throws: ApusError.self) {
      try InferenceRequest(body: header.utf8 + Self.numbers, headerLength: header.utf8.count)
    }
  }

  @Test func severalInputsFollowOneAnother() throws {
    let header = """
      {"id":"7","inputs":[
        {"parameters":{"binary_data_size":1},"name":"a","shape":[1],"datatype":"UINT8"},
        {"name":"b","data":[true,false],"datatype":"BOOL","shape":[2]},
        {"name":"c","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":6}}],
       "outputs":[{"name":"p","parameters":{"binary_data":true}},{"name":"q","parameters":{"classification":3}}],
       "parameters":{"top_k":5,"network":"main","share":0.5,"odd":null,"list":[{"deep":[1]}]},"more":{}}
      """
    let request = try InferenceRequest(
      body: header.utf8 + [9, 2, 0, 0, 0, 104, 105], headerLength: header.utf8.count)
    #expect(request.id == "7")
    #expect(request[input: "a"]?.bytes == [9])
    #expect(request[input: "b"]?.bytes == [1, 0])
    #expect(request[input: "c"]?.elements == [[104, 105]])
    #expect(request.isBinary("p") && !request.isBinary("q"))
    #expect(request.outputs[1].classCount == 3)
    #expect(request.parameters == ["top_k": .integer(5), "network": .text("main"), "share": .number(0.5)])
  }

  @Test(arguments: [
    #"{"name":"x","datatype":"FP32","shape":[2,2],"data":[1,2,3,4]}"#,
    #"{"name":"x","datatype":"FP32","shape":[2,2],"data":[[1,2],[3,4]]}"#,
    #"{"data":[[1,2],[3.0,40e-1]],"name":"x","shape":[2,2],"datatype":"FP32"}"#,
    #"{ "shape" : [ 2 , 2 ] , "name" : "x" , "data" : [ [ 1 , 2 ] , [ 3 , 4 ] ] , "datatype" : "FP32" }"#,
  ])
  func dataMayBeFlatOrNestedAndComeInAnyOrder(input: String) throws {
    let request = try InferenceRequest(body: Array("{\"inputs\":[\(input)]}".utf8))
    #expect(try request.inputs == [InferenceTensor("x", [1, 2, 3, 4], InferenceShape([2, 2]))])
  }

  @Test(arguments: [
    // Of the tensor.
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[1,2,3]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[1,2,3,4,5]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[[1,2,3],[4]]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[[1,2],3,4]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[2],"data":[[1,2]]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"data":[NaN]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"data":[1e39]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP16","shape":[1],"data":[65520]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"data":[null]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"INT8","shape":[1],"data":[128]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"UINT64","shape":[1],"data":[18446744073709551616]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"INT64","shape":[1],"data":[-9223372036854775809]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"INT32","shape":[1],"data":[1.0]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"BOOL","shape":[1],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"BYTES","shape":[1],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"BYTES","shape":[1],"data":["\ud800"]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"data":[1],"parameters":{"binary_data_size":4}}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"parameters":{"binary_data_size":4}}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1],"parameters":{"shared_memory_region":"r"}}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[4294967296,4294967296],"data":[]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1.5],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[-1],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","shape":[1099511627776],"data":[1]}]}"#,
    #"{"inputs":[{"datatype":"FP32","shape":[1],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","shape":[1],"data":[1]}]}"#,
    #"{"inputs":[{"name":"x","datatype":"FP32","data":[1]}]}"#,
    // Of the request.
    "", "{}", "[]", "null", #"{"inputs":[]"#, #"{"inputs":[]}}"#, #"{"inputs":[],"inputs":[]}"#,
    #"{"inputs":[],"id":7}"#, #"{"inputs":[],"parameters":[]}"#, #"{"inputs":[],"outputs":[{}]}"#,
    #"{"inputs":[],"outputs":[{"name":"a"},{"name":"a"}]}"#,
    #"{"inputs":[],"outputs":[{"name":"a","parameters":{"binary_data":1}}]}"#,
    #"{"inputs":[],"outputs":[{"name":"a","parameters":{"classification":0}}]}"#,
    #"{"inputs":[],"parameters":{"binary_data_output":"yes"}}"#,
    #"{"inputs":[],}"#, #"{"inputs":[],"x":01}"#, #"{"inputs":[],"x":tru}"#, #"{"inputs":[],"x":"a}"#,
  ])
  func whatDoesNotAddUpIsRefused(body: String) {
    #expect(throws: ApusError.self) { try InferenceRequest(body: Array(body.utf8)) }
  }

  @Test(arguments: [
    (#"{"inputs":[{]}"#, "JSON, byte 12: ']', expected a key in quotes."),
    (
      #"{"inputs":[{"name":"x","datatype":"INT32","shape":[1],"data":[1.5]}]}"#,
      "JSON, byte 65: 1.5 is no number of INT32."
    ),
    ("[", "JSON, byte 0: '[', expected an object."),
    (#"{"inputs":[]"#, "JSON, byte 12: the end, expected ',' or '}'."),
    ("{}", "the request has no \"inputs\"."),
  ])
  func errorsSayWhatIsWrongAndWhere(body: String, expected: String) {
    let error = #expect(throws: ApusError.self) { try InferenceRequest(body: Array(body.utf8)) }
    #expect(error?.kind == .argument && error?.summary == expected)
  }

  @Test func nullIsAsIfNothingStoodThere() throws {
    let body = #"""
      {"id":null,"parameters":null,"outputs":null,
       "inputs":[{"name":"x","datatype":"FP32","shape":[1],"parameters":null,"data":[1]}]}
      """#
    #expect(
      try InferenceRequest(body: Array(body.utf8))
        == InferenceRequest(inputs: [InferenceTensor("x", [1], .vector(1))]))
    for body in [
      #"{"inputs":null}"#, #"{"inputs":[{"name":null,"datatype":"FP32","shape":[1],"data":[1]}]}"#,
    ] {
      #expect(throws: ApusError.self) { try InferenceRequest(body: Array(body.utf8)) }
    }
  }

  /// Names are bytes: é in one character and in two are two inputs.
  @Test func namesThatDifferByCompositionAreTwo() throws {
    func input(_ name: String, _ value: Int) -> String {
      #"{"name": "\#(name)", "datatype": "INT32", "shape": [1], "data": [\#(value)]}"#
    }
    let (one, two) = (input(#"\u00e9"#, 1), input(#"e\u0301"#, 2))
    let request = try InferenceRequest(body: Array(#"{"inputs": [\#(one), \#(two)]}"#.utf8))
    #expect(request[input: "\u{E9}"]?.bytes.first == 1 && request[input: "e\u{301}"]?.bytes.first == 2)
  }

  @Test func depthIsLimited() {
    let bomb = String(repeating: "[", count: 1_000_000)
    for body in [
      bomb, "{\"inputs\":\(bomb)", "{\"x\":\(bomb)", "{\"x\":" + String(repeating: "{\"x\":", count: 100_000),
      "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1,1,1],\"data\":\(bomb)",
      "{\"inputs\":[{\"name\":\"x\",\"data\":\(bomb)", "{\"inputs\":[],\"parameters\":{\"x\":\(bomb)",
    ] {
      #expect(throws: ApusError.self) { try InferenceRequest(body: Array(body.utf8)) }
    }
  }

  @Test func everyNumberIsKept() throws {
    let body = #"""
      {"inputs":[
        {"name":"u","datatype":"UINT64","shape":[2],"data":[18446744073709551615,0]},
        {"name":"i","datatype":"INT64","shape":[3],"data":[-9223372036854775808,9223372036854775807,-0]},
        {"name":"h","datatype":"FP16","shape":[2],"data":[65504,-0.0]},
        {"name":"b","datatype":"BF16","shape":[3],"data":[1,1.00390625,1.01171875]},
        {"name":"t","datatype":"BYTES","shape":[2],"data":["\u00e9\ud83d\ude00\"\\\/\n",""]}]}
      """#
    let request = try InferenceRequest(body: Array(body.utf8))
    #expect(
      request[input: "u"]?.bytes
        == ArraySlice([UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 8)))
    let integers: [Int64] = [.min, .max, 0]
    #expect(
      request[input: "i"]?.bytes
        == ArraySlice(integers.flatMap { n in (0..<8).map { UInt8(truncatingIfNeeded: n >> ($0 * 8)) } }))
    #expect(request[input: "h"]?.bytes == [0xFF, 0x7B, 0, 0x80])
    // Halfway numbers go to the even neighbour.
    #expect(request[input: "b"]?.bytes == [0x80, 0x3F, 0x80, 0x3F, 0x82, 0x3F])
    #expect(request[input: "t"]?.elements.map { String(decoding: $0, as: UTF8.self) } == ["é😀\"\\/\n", ""])
  }

  @Test func damageNeverTraps() throws {
    let valid = Array(
      #"{"id":"a","inputs":[{"name":"x","datatype":"FP32","shape":[2],"data":[1.5,-2e1]},{"name":"y","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":5}}],"outputs":[{"name":"z"}]}"#
        .utf8)
    let body = valid + [1, 0, 0, 0, 65]
    #expect(throws: Never.self) { try InferenceRequest(body: body, headerLength: valid.count) }
    for count in 0..<valid.count {
      #expect(throws: ApusError.self) { try InferenceRequest(body: body, headerLength: count) }
      #expect(throws: ApusError.self) { try InferenceRequest(body: Array(body[..<count])) }
    }
    for index in body.indices {
      for byte: UInt8 in [0, 0x22, 0x2D, 0x39, 0x5B, 0x5C, 0x5D, 0x65, 0x7B, 0x7D, 0xFF] {
        var damaged = body
        damaged[index] = byte
        _ = try? InferenceRequest(body: damaged, headerLength: valid.count)
      }
    }
  }
}
