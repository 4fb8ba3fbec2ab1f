import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// A model that `modules.json` puts into a folder below: its pictures are by that folder, its texts by the list's too.
@Suite struct ModelLayoutTests {
  private static let options = "config_sentence_transformers.json"
  private static let inner = "0_CLIPModel"

  private func prompt(_ text: String) -> String {
    #"{"prompts": {"query": "\#(text)"}, "default_prompt_name": "query"}"#
  }

  private func layout(_ text: String, model: String = "clip") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "modules.json", #"[{"path": "\#(Self.inner)", "type": "sentence_transformers.models.CLIPModel"}]"#)
    try folder.write(Self.options, prompt(text))
    try FileManager.default.copyItem(
      atPath: Checkout.modelFolder(model), toPath: "\(folder.path)/\(Self.inner)")
    return folder
  }

  private func stored(_ folder: TemporaryFolder) throws -> StoredModel {
    try PhotoModel(folder.path, options: .init(precision: .float32)).stored
  }

  /// What an embedder makes of a sentence.
  private func vector(_ path: String) throws -> [Float] {
    try TextEmbedder(path, options: .init(length: .unit)).blocking.embed("a cat").values
  }

  /// What a search makes of it.
  private func query(_ model: StoredModel) throws -> [Float] {
    let index = try TemporaryFolder()
    let store = try PhotoStore(creatingAt: "\(index.path)/index")
    return try QueryTowers(model, threads: 1).vector(PhotoQuery(["a cat"]), store) { false }
  }

  @Test func thePromptOfTheOuterFolderCounts() throws {
    let folder = try layout("a photo of ")
    let model = try stored(folder)
    #expect(model.path == folder.path)
    let found = try query(model)
    let (whole, inner) = (try vector(folder.path), try vector("\(folder.path)/\(Self.inner)"))
    let cosine = VectorRanking.cosine(found, whole)
    #expect(cosine > 0.9999)
    #expect(whole != inner)
  }

  /// Earlier versions kept the folder inside as the path of a model that was asked for by the one around it.
  @Test func anIndexWithTheInnerFolder() throws {
    let folder = try layout("a photo of ")
    let place = "\(folder.path)/\(Self.inner)"
    let (whole, inner) = (try vector(folder.path), try vector(place))
    var model = try stored(folder)
    model.path = place
    model.stamp = ModelIdentity(place).stamp
    let asked = VectorRanking.cosine(try query(model), whole)
    #expect(asked > 0.9999)
    #expect(model.openingPath == folder.path)
    // Who asked for the folder inside means that one.
    for name in [place, place + "/", Self.inner] {
      model.name = name
      #expect(model.openingPath == place)
    }
    let alone = VectorRanking.cosine(try query(model), inner)
    #expect(alone > 0.9999)
  }

  /// Names are those of the folder in which they were given, which an index does not know: only their last parts tell.
  @Test func aRelativeNameIsNoneOfTodaysFolder() throws {
    let folder = try layout("a photo of ")
    let place = "\(folder.path)/\(Self.inner)"
    let outer = (folder.path as NSString).lastPathComponent
    for name in [".", "./", "..", "elsewhere", "elsewhere/\(Self.inner)"] {
      let opening = ModelPath.opening(place, askedAs: name)
      #expect(opening == place, "\(name)")
    }
    for name in [outer, "./\(outer)/", "elsewhere/\(outer)", "../\(outer)"] {
      let opening = ModelPath.opening(place, askedAs: name)
      #expect(opening == folder.path, "\(name)")
    }
  }

  @Test func theNameOfARepository() throws {
    let (folder, cache) = (try layout("a photo of "), try TemporaryFolder())
    let snapshots = "\(cache.path)/models--wsc--towers/snapshots"
    try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path, toPath: "\(snapshots)/abc")
    let place = "\(snapshots)/abc/\(Self.inner)"
    for name in ["wsc/towers", "wsc/towers@abc"] {
      let opening = ModelPath.opening(place, askedAs: name)
      #expect(opening == "\(snapshots)/abc")
    }
    let other = ModelPath.opening(place, askedAs: "wsc/others")
    #expect(other == place)
  }

  /// Beside SigLIP's texts a list of modules is refused, which earlier versions passed over.
  @Test func aListThatIsRefusedIsPassedOver() throws {
    let folder = try layout("", model: "siglip")
    let place = "\(folder.path)/\(Self.inner)"
    let error = #expect(throws: ApusError.self) { try PhotoModel(folder.path) }
    #expect(error?.kind == .unsupportedModel)
    var model = try PhotoModel(place, options: .init(precision: .float32)).stored
    model.name = folder.path
    #expect(model.openingPath == place)
    let inner = try vector(place)
    let cosine = VectorRanking.cosine(try query(model), inner)
    #expect(cosine > 0.9999)
    let again = try PhotoModel(model.openingPath, options: .init(precision: .float32)).stored
    #expect(again.digest == model.digest)
  }

  /// Whoever names the folder that the model was indexed by means the same, with a slash at the end or by a link.
  @Test func aListThatIsRefusedIsPassedOverByWhateverPath() throws {
    let (folder, other) = (try layout("", model: "siglip"), try TemporaryFolder())
    let place = "\(folder.path)/\(Self.inner)"
    var model = try PhotoModel(place, options: .init(precision: .float32)).stored
    model.name = folder.path
    let store = try PhotoStore(creatingAt: "\(other.path)/index")
    _ = try store.write { [model] in try model.store(at: 1, in: $0) }
    let link = "\(other.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    for name in [folder.path, folder.path + "/", link, link + "/@f32"] {
      let found = try StoredModel.named(name, in: store)
      #expect(found.openingPath == place, "\(name)")
    }
  }

  /// The folder inside and the one around it are one model, by whichever of them it was indexed last; texts are read as who
  /// asks now says.
  @Test func bothFoldersNameTheModel() throws {
    let folder = try layout("a photo of ")
    let place = "\(folder.path)/\(Self.inner)"
    let (whole, inner) = (try vector(folder.path), try vector(place))
    let store = try PhotoStore(creatingAt: "\(folder.path)/index")
    for last in [place, folder.path] {
      let model = try PhotoModel(last, options: .init(precision: .float32)).stored
      _ = try store.write { try model.store(at: 1, in: $0) }
      let one = try StoredModel.named(place, in: store)
      let other = try StoredModel.named("\(folder.path)@f32", in: store)
      #expect(one.name == last && one.openingPath == place)
      #expect(other.id == one.id && other.openingPath == folder.path)
      let (alone, asked) = (try query(one), try query(other))
      let (first, second) = (VectorRanking.cosine(alone, inner), VectorRanking.cosine(asked, whole))
      #expect(first > 0.9999 && second > 0.9999)
    }
    let unnamed = try StoredModel.named(nil, in: store)
    #expect(unnamed.openingPath == folder.path)
  }

  @Test func whatChangesNoPictureKeepsItsVectors() throws {
    let (one, other) = (try layout("a photo of "), try layout("a drawing of "))
    let (first, second) = (try stored(one), try stored(other))
    #expect(first.digest == second.digest)
    try one.write("README.json", "{}")
    try one.write("onnx/config.json", "{}")
    let again = try stored(one)
    #expect(again.digest == first.digest && again.stamp == first.stamp)
    let inner = try PhotoModel("\(one.path)/\(Self.inner)", options: .init(precision: .float32)).stored
    #expect(inner.digest == first.digest)
    try one.write("\(Self.inner)/other.json", "{}")
    let changed = try stored(one)
    #expect(changed.digest != first.digest)
  }

  /// A tower for pictures alone goes without its projection beside a list of modules.
  @Test func theListCountsForATowerForPicturesAlone() throws {
    let folder = try layout("", model: "clip-vision-projection")
    let whole = try ModelIdentity(folder.path).digest([])
    let inner = try ModelIdentity("\(folder.path)/\(Self.inner)").digest([])
    #expect(whole != inner)
    let place = "\(folder.path)/\(Self.inner)"
    #expect(!ModelPath.areOne(folder.path, place))
    let clip = try layout("")
    #expect(ModelPath.areOne(clip.path, "\(clip.path)/\(Self.inner)"))
  }

  /// Weights of other forms tell a model from others too, but where it has `.safetensors` files, which are then read.
  @Test(arguments: ["onnx/vision_model.onnx", "onnx/model.onnx_data", "model.onnx.data", "pytorch_model.bin"])
  func weightsOfOtherForms(_ name: String) throws {
    let folder = try TemporaryFolder()
    func matters() throws -> Bool {
      try folder.write(name, "some weights")
      let first = try ModelIdentity(folder.path).digest([])
      try folder.write(name, "other weights")
      return try ModelIdentity(folder.path).digest([]) != first
    }
    try folder.write("config.json", "{}")
    #expect(try matters())
    try folder.write("model.safetensors", "these are read")
    #expect(try !matters())
  }
}
