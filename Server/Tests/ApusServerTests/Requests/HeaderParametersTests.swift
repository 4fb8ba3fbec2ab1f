import Testing

@testable import ApusServer

@Suite struct HeaderParametersTests {
  @Test(arguments: [
    (#"form-data; name="image""#, "image"), ("form-data; NAME = image ", "image"),
    (#"form-data; filename="x; name=labels.jpg"; name="image""#, "image"),
    (#"form-data; filename="x\"; name=labels.jpg"; name="image""#, "image"),
    (#"form-data; name="image"; filename="C:\""#, "image"), (#"form-data; name="a\"b\\c""#, #"a"b\c"#),
    (#"form-data; name="a;b""#, "a;b"), (#"form-data; name="""#, ""), (#"form-data; name=a"b"#, #"a"b"#),
  ])
  func valuesAreFoundByTheirNames(_ header: String, _ value: String) {
    #expect(HeaderParameters.value("name", of: header) == value)
  }

  @Test(arguments: ["", "name=a", "form-data", "form-data; name", #"form-data; filename="; name=a""#])
  func whatIsNotThereIsNotFound(_ header: String) {
    #expect(HeaderParameters.value("name", of: header) == nil)
  }
}
