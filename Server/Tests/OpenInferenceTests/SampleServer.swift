import Apus
import ApusServing
import FoundationEssentials
import OpenInference
import ServingTestSupport

/// A service over the project's own small models.
enum SampleServer {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func path(_ file: String) -> String { root.appending(path: file).path }

  static func service() throws -> OpenInferenceService {
    let rice = ServedModelOptions(path("Weights/rice-leaf/rice_v1_float32.tflite"), name: "leaf")
    let sentiment = ServedModelOptions(path("Weights/sentiment"), name: "folder/sentiment")
    let scenes = ServedModelOptions(path("Weights/scenes"), name: "scenes")
    return OpenInferenceService(
      try ModelServer([rice, sentiment, scenes], limits: .patient), serverVersion: "0",
      allowsModelControl: true)
  }

  /// A picture's file and what it shows.
  static func picture(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path("Weights/scenes/samples/\(name).png"))))
  }
}
