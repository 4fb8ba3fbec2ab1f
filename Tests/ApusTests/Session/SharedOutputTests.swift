import Apus
import Foundation
import TestSupport
import Testing

/// Outputs that are one tensor of the file have a name each.
@Suite struct SharedOutputTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("sharing.tflite", SessionModels.sharing())
  }

  /// Without a signature names are those of the first one, and the tensor's where that gives none.
  @Test(arguments: [
    ("twice", ["probs", "scores"]), ("passing", ["orig", "probs"]), ("main", ["probs", "scores", "image"]),
  ])
  func resultsHaveTheNamesThatAreListed(network: String, names: [String]) throws {
    let session = try InferenceSession(path, options: .init(network: network))
    #expect(session.outputs.map(\.name) == names)
    let values = [0, 1, 2, 3] as [Float]
    let inputs = ["image": try Tensor(values)]
    let outputs = try session.blocking.run(inputs)
    #expect(outputs.names == names)
    for name in names {
      let numbers = try outputs.tensor(name).elements(of: Float.self)
      let isInput = name == "orig" || name == "image"
      #expect((numbers == values) == isInput, "\(name)")
    }
    let profile = try session.blocking.profile(inputs)
    #expect(profile.outputs.names == names)
    let prepared = try session.blocking.prepare()
    #expect(prepared == session.outputs)
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program")) func theCommandsSayThem() throws {
    let input = folder.path + "/image.npy"
    let bytes = try Tensor([0, 1, 2, 3] as [Float]).npy()
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let arguments = [path, "--signature", "twice", "--json"]
    for run in try [
      CommandRun(["run"] + arguments + ["--input", "image=\(input)"]), CommandRun(["inspect"] + arguments),
    ] {
      #expect(run.exitCode == 0, "\(run.messages)")
      let record = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let outputs = try #require(record?["outputs"] as? [[String: Any]])
      #expect(outputs.map { $0["name"] as? String } == ["probs", "scores"])
    }
  }
}
