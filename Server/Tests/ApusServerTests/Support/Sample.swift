import FoundationEssentials

@testable import ApusServer

/// A picture of three red circles.
enum Sample {
  static func picture() throws -> [UInt8] {
    let path = TestServer.root + "/Weights/scenes/samples/three-red-circles.png"
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  static func base64() throws -> String { Data(try picture()).base64EncodedString() }
}
