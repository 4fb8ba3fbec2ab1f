import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// A model is found as a folder or in the Hugging Face cache, and its weights under any of the usual names.
struct ModelFolderTests {
  private let folder: TemporaryFolder
  private let weights = SafetensorsBuilder.file([("a", "U8", [1], [7])])
  private let cache: HuggingFaceCache

  init() throws {
    folder = try TemporaryFolder()
    cache = HuggingFaceCache(environment: ["HF_HUB_CACHE": folder.path + "/hub"])
  }

  @Test func filesOfAFolder() throws {
    try folder.write("config.json", #"{"model_type": "bert"}"#)
    try folder.write("1_Pooling/config.json", #"{"pooling_mode_mean_tokens": true}"#)
    try folder.write("model.safetensors", weights)
    let model = try ModelFolder(folder.path + "//", cache: cache)
    #expect(model.path == folder.path)
    #expect(model.file("config.json") == folder.path + "/config.json")
    #expect(model.file("tokenizer.json") == nil)
    #expect(model.file("1_Pooling") == nil)
    #expect(model.names == ["1_Pooling", "config.json", "model.safetensors"])
    #expect(try model.configuration().string("model_type") == "bert")
    #expect(try model.configuration("1_Pooling/config.json").bool("pooling_mode_mean_tokens"))
    #expect(try model.readingIfPresent("modules.json") { (reader) throws(ApusError) in reader.keys } == nil)
    #expect(try model.weights().tensor("a").elements() == [7] as [UInt8])
  }

  @Test(arguments: [
    "model.safetensors", "open_clip_model.safetensors", "open_clip_pytorch_model.safetensors",
  ])
  func weightsUnderUsualNames(_ name: String) throws {
    try folder.write(name, weights)
    try folder.write("pytorch_model.bin", [0])
    try folder.write("ema.safetensors", [0])
    if name.hasPrefix("open_clip") { try folder.write(ModelFolder.openCLIPFile, "{}") }
    #expect(try ModelFolder(folder.path).weights().names == ["a"])
  }

  /// transformers reads the checkpoint, whose weights may be others than those of a file that it does not look for.
  @Test(arguments: [
    "ema.safetensors", "model.fp16.safetensors", "open_clip_model.safetensors",
    "diffusion_pytorch_model.safetensors",
  ])
  func aStrayFileBesideOtherWeightsIsNotTaken(_ name: String) throws {
    try folder.write(name, weights)
    #expect(try ModelFolder(folder.path).weights().names == ["a"])
    try folder.write("optimizer.bin", [0])
    #expect(try ModelFolder(folder.path).weights().names == ["a"])
    for foreign in ["tf_model.h5", "flax_model.msgpack"] {
      try folder.write(foreign, "{}")
      let error = #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
      #expect(error?.kind == .unsupportedModel)
      #expect(error?.problem == "has weights as \(foreign), and \(name) beside it")
    }
    try folder.write("pytorch_model.bin", CheckpointBuilder.file([("b", "U8", [1], [7])]))
    #expect(try ModelFolder(folder.path).weights().names == ["b"])
  }

  /// What training writes beside it is passed over.
  @Test(arguments: ["model.pt", "mobilenet_v2-b0353104.pth", "weights.bin", "last.ckpt"])
  func aCheckpointUnderAnyName(_ name: String) throws {
    let bytes = CheckpointBuilder.file([("b", "U8", [1], [7])])
    for other in ["optimizer.pt", "training_args.bin", "rng_state.pth", "scheduler.pt"] {
      try folder.write(other, bytes)
    }
    try folder.write("data.bin", [1, 2, 3])
    #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    try folder.write(name, bytes)
    #expect(try ModelFolder(folder.path).weights().names == ["b"])
    try folder.write("second.pt", bytes)
    let error = #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    #expect(error?.problem == "has 2 checkpoints and no index")
  }

  @Test func weightsOfAnIndex() throws {
    try folder.write("model.safetensors.index.json", #"{"weight_map": {"a": "m-1.safetensors"}}"#)
    try folder.write("m-1.safetensors", weights)
    #expect(try ModelFolder(folder.path).weights().names == ["a"])
  }

  @Test func weightsOfOtherKindsAreRefusedWithAdvice() throws {
    let none = #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    #expect(none?.kind == .file)
    #expect(none?.file == folder.path)
    try folder.write("tf_model.h5", [0])
    let error = #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.problem.contains("tf_model.h5") == true)
    #expect(error?.advice?.contains("safe_serialization") == true)
    try folder.write("one.safetensors", weights)
    try folder.write("two.safetensors", weights)
    let several = #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    #expect(several?.problem.contains("2 safetensors files") == true)
  }

  @Test func aMissingConfigurationIsNamed() throws {
    let error = #expect(throws: ApusError.self) { try ModelFolder(folder.path).configuration() }
    #expect(error?.kind == .file)
    #expect(error?.file == folder.path + "/config.json")
  }

  @Test func aHugeConfigurationIsRefused() throws {
    let path = try folder.write("config.json", "{}")
    #expect(truncate(path, ModelFolder.maximumConfigurationByteCount + 1) == 0)
    let error = #expect(throws: ApusError.self) { try ModelFolder(folder.path).configuration() }
    #expect(error?.kind == .file)
    #expect(error?.problem.contains("over the limit") == true)
  }

  @Test func repositoriesOfTheCache() throws {
    let commit = "0123456789abcdef0123456789abcdef01234567"
    let repository = "hub/models--owner--name.v2"
    try folder.write("\(repository)/refs/main", commit + "\n")
    try folder.write("\(repository)/refs/refs/pr/1", "fedcba")
    try folder.write("\(repository)/snapshots/\(commit)/config.json", "{}")
    try folder.write("\(repository)/snapshots/fedcba/config.json", "{}")
    let blob = try folder.write("\(repository)/blobs/abc", weights)
    let link = "\(folder.path)/\(repository)/snapshots/\(commit)/model.safetensors"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: blob)
    let snapshots = "\(folder.path)/\(repository)/snapshots"
    #expect(try ModelFolder("owner/name.v2", cache: cache).path == "\(snapshots)/\(commit)")
    #expect(try ModelFolder("owner/name.v2", cache: cache).weights().names == ["a"])
    #expect(try ModelFolder("owner/name.v2@main", cache: cache).path == "\(snapshots)/\(commit)")
    #expect(try ModelFolder("owner/name.v2@\(commit)", cache: cache).path == "\(snapshots)/\(commit)")
    #expect(try ModelFolder("owner/name.v2@refs/pr/1", cache: cache).path == "\(snapshots)/fedcba")
    let error = #expect(throws: ApusError.self) { try ModelFolder("owner/name.v2@other", cache: cache) }
    #expect(error?.advice == "Fetch it with: hf download owner/name.v2 --revision other")
    let partial = try ModelFolder("owner/name.v2@refs/pr/1", cache: cache)
    let missing = #expect(throws: ApusError.self) { try partial.weights() }
    #expect(missing?.advice == "Fetch it with: hf download owner/name.v2 --revision refs/pr/1")
    let absent = #expect(throws: ApusError.self) { try partial.configuration("modules.json") }
    #expect(absent?.advice == missing?.advice)
  }

  /// As when it was fetched by a commit, or copied in part.
  @Test func aRepositoryWithoutReferencesIsItsOnlySnapshot() throws {
    let repository = "hub/models--owner--name"
    try folder.write("\(repository)/snapshots/0123abc/config.json", "{}")
    #expect(
      try ModelFolder("owner/name", cache: cache).path == "\(folder.path)/\(repository)/snapshots/0123abc")
    try folder.write("\(repository)/snapshots/.DS_Store", "no snapshot")
    #expect(try ModelFolder("owner/name", cache: cache).isRepository)
    #expect(throws: ApusError.self) { try ModelFolder("owner/name@v1", cache: cache) }
    try folder.write("\(repository)/snapshots/4567def/config.json", "{}")
    let error = #expect(throws: ApusError.self) { try ModelFolder("owner/name", cache: cache) }
    #expect(error?.expected?.contains("owner/name@0123abc or owner/name@4567def") == true)
    #expect(try ModelFolder("owner/name@4567def", cache: cache).isRepository)
    // What a reference says counts, though it be of no snapshot.
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(repository)/snapshots/4567def")
    try folder.write("\(repository)/refs/main", "4567def")
    #expect(throws: ApusError.self) { try ModelFolder("owner/name", cache: cache) }
  }

  @Test func anAbsentRepositorySaysHowToFetchIt() throws {
    let error = #expect(throws: ApusError.self) { try ModelFolder("owner/name", cache: cache) }
    #expect(error?.kind == .file)
    #expect(error?.file == "owner/name")
    #expect(error?.expected?.contains(folder.path + "/hub") == true)
    #expect(error?.advice == "Fetch it with: hf download owner/name")
  }

  @Test(arguments: [
    "", "/absent/folder", "../name", "a/b/c", "./x", "owner/", "/name", "own er/name", "-x/name", "a/b@",
    "a/b@../c",
    "a/b@c//d", "naïve/name", "a--b/c", "a/b@" + String(repeating: "x", count: 100), "\0", "model/\0",
  ])
  func whatIsNeitherFolderNorName(_ text: String) throws {
    let error = #expect(throws: ApusError.self) { try ModelFolder(text, cache: cache) }
    #expect(error?.kind == .file)
    #expect(error?.problem == "is no folder")
  }

  @Test func aFileIsNoFolder() throws {
    let path = try folder.write("model.safetensors", weights)
    let error = #expect(throws: ApusError.self) { try ModelFolder(path) }
    #expect(error?.problem == "is a file")
  }

  @Test func aReferenceCannotLeadOutOfTheCache() throws {
    try folder.write("hub/models--a--b/refs/main", "../../../outside")
    try folder.write("outside/config.json", "{}")
    let error = #expect(throws: ApusError.self) { try ModelFolder("a/b", cache: cache) }
    #expect(error?.kind == .file)
  }

  @Test(arguments: [
    (["HF_HUB_CACHE": "/a", "HF_HOME": "/b"], "/a"), (["HF_HOME": "/b", "XDG_CACHE_HOME": "/c"], "/b/hub"),
    (["XDG_CACHE_HOME": "/c", "HOME": "/d"], "/c/huggingface/hub"),
    (["HOME": "/d"], "/d/.cache/huggingface/hub"), (["HF_HOME": "~/e", "HOME": "/d"], "/d/e/hub"),
    (["HF_HUB_CACHE": "", "HF_HOME": "/b"], "/b/hub"),
    (["HUGGINGFACE_HUB_CACHE": "/f", "HF_HOME": "/b"], "/f"),
  ])
  func whereTheCacheIs(_ environment: [String: String], _ root: String) {
    #expect(HuggingFaceCache(environment: environment).roots == [root])
  }
}
