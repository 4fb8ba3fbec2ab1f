import Testing

@testable import ApusServer

@Suite struct Base64Tests {
  @Test(arguments: [
    "AQID", " AQID\n", "AQ\nID\r\n", "data:image/png;base64,AQID", "DATA:image/png;BASE64,AQID",
    "\n Data:image/png;base64, AQID ",
  ])
  func bytesComeWithTheirTypeOrWithout(_ text: String) throws {
    let bytes = try Base64.bytes(text, "image")
    #expect(bytes == [1, 2, 3])
  }

  @Test(arguments: [
    "", " ", "data:image/png;base64,", "data:image/png;base64", "*", "A Q I D", "AQ==ID", "AQID*",
  ])
  func whatIsNoneIsRefused(_ text: String) {
    #expect { try Base64.bytes(text, "image") } throws: { error in
      (error as? RequestFault)?.message == "'image' is not base64."
    }
  }

  @Test(arguments: ["http://a.example/b.png", "HTTPS://a.example/b.png", " Https://a.example"])
  func addressesAreNotFetched(_ text: String) {
    #expect { try Base64.bytes(text, "image") } throws: { error in
      (error as? RequestFault)?.message.contains("nothing is fetched") == true
    }
  }
}
