import Foundation
import TestSupport
import Testing

/// Keys of the JSON that commands print are in snake_case; those that had another name have it too, with the same value.
@Suite(.enabled(if: CommandRun.isPossible))
struct JSONKeyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func value(_ arguments: [String]) throws -> Any {
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 0, "\(run.messages)")
    return try run.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8))
    }
  }

  /// Keys of objects at any depth, but for those that stand below a key of a former name, by their paths.
  private func members(of value: Any, _ place: String = "") -> [(place: String, object: [String: Any])] {
    switch value {
    case let values as [Any]: return values.flatMap { members(of: $0, place) }
    case let object as [String: Any]:
      return [(place, object)]
        + object.filter { $0.key.wholeMatch(of: /[a-z0-9_]+/) != nil }
        .flatMap { members(of: $0.value, place + "." + $0.key) }
    default: return []
    }
  }

  private func snakeCase(_ key: String) -> String {
    key.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
  }

  private func without(_ value: Any, formerNames: Bool) -> Any {
    switch value {
    case let values as [Any]: return values.map { without($0, formerNames: formerNames) }
    case let object as [String: Any]:
      let former = Set(object.keys.filter { snakeCase($0) != $0 })
      let left = object.filter { key, _ in
        formerNames ? !former.contains(key) : !former.contains { snakeCase($0) == key }
      }
      return Dictionary(
        uniqueKeysWithValues: left.map { (snakeCase($0), without($1, formerNames: formerNames)) })
    default: return value
    }
  }

  @Test func keysAreInSnakeCase() throws {
    let picture = try folder.write("pictures/blast/a.png", FolderFixture.png)
    try folder.write("pictures/tungro/b.png", FolderFixture.png)
    let texts = try folder.write("texts.txt", "a cat\n")
    let colour = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    let (vit, siglip) = (Checkout.modelFolder("vit"), Checkout.modelFolder("siglip"))
    let sentence = Checkout.modelFolder("bert-sentence")
    let leaf = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path
    let kernels = ["bench", "kernels", "--shape", "softmax:4x8", "--seconds", "0.001"]
    let commands: [[String]] = [
      ["inspect", leaf], ["inspect", sentence], ["bench", "model", colour, "--runs", "3"], kernels,
      ["compare", vit, vit + "@int8", vit, "--data", folder.path + "/pictures"],
      ["doctor"], ["list", "models"], ["classify", picture, "--model", leaf],
      ["zero-shot", picture, "--model", siglip, "--labels", "a,b"],
      ["embed", "--text", "a", "--model", sentence], ["similarity", "--text", "a", "b", "--model", sentence],
      ["tokenize", texts, "--model", sentence], ["models", folder.path],
    ]
    for command in commands {
      let value = try value(command + ["--json"])
      let found = members(of: value)
      #expect(!found.isEmpty)
      for (place, object) in found {
        for key in object.keys where key.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) == nil {
          #expect(object[snakeCase(key)] != nil, "\(command[0]): \(place).\(key)")
        }
      }
      let forms = try [true, false].map { formerNames in
        try JSONSerialization.data(
          withJSONObject: without(value, formerNames: formerNames), options: .sortedKeys)
      }
      #expect(forms[0] == forms[1], "\(command[0])")
    }
  }

  /// Former names are those of what a release printed under them: of `compare`, `inspect` and `run`, and not of what they did
  /// not print.
  @Test func nothingElseHasFormerKeys() throws {
    try folder.write("pictures/blast/a.png", FolderFixture.png)
    let colour = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    let vit = Checkout.modelFolder("vit")
    let trace = folder.path + "/trace.json"
    let commands = [["bench", "model", colour, "--runs", "3", "--trace", trace], ["models", folder.path]]
    for command in commands {
      for (place, object) in members(of: try value(command + ["--json"])) {
        for key in object.keys { #expect(snakeCase(key) == key, "\(command[0]): \(place).\(key)") }
      }
    }
    let events = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: trace)))
    let traced = members(of: (events as? [String: Any])?["traceEvents"] ?? [])
    #expect(traced.contains { $0.object["multiply_accumulates"] != nil })
    for (_, object) in traced { #expect(object["multiplyAccumulates"] == nil) }
    let compared = members(
      of: try value(["compare", vit, vit, "--data", folder.path + "/pictures", "--json"]))
    for (place, object) in compared {
      let isNew = place.hasPrefix(".models.certainty")
      #expect(object["design_effect"] == nil || (object["designEffect"] == nil) == isNew, "\(place)")
    }
    #expect(
      compared.contains { $0.place.hasPrefix(".models.certainty") && $0.object["design_effect"] != nil })
  }

  /// What programs read that were written before.
  @Test func formerKeysAreThere() throws {
    let leaf = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path
    let object = try #require((try value(["inspect", leaf, "--json"]) as? [[String: Any]])?.first)
    for (key, former) in [("weight_bytes", "weightBytes"), ("multiply_accumulates", "multiplyAccumulates")] {
      #expect(object[key] as? Int != nil && object[key] as? Int == object[former] as? Int)
    }
    let input = try #require((object["inputs"] as? [[String: Any]])?.first)
    let quantization = try #require(input["quantization"] as? [String: Any])
    #expect(quantization["zero_points"] as? [Int] == [-1] && quantization["zeroPoints"] as? [Int] == [-1])
  }
}
