import Apus
import ApusServer
import ArgumentParser

/// The photographs that can be searched.
struct PhotographArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An index of photographs, which 'apus photos index' made: clients can search it, and see what it has. Its model "
        + "need not be given.",
      valueName: "index"))
  var photos: String?

  @Option(
    help: ArgumentHelp(
      "Which model, where the index has vectors of several: its name or a part of it.", valueName: "name"))
  var photosModel: String?

  @Option(
    help: ArgumentHelp(
      """
      What embeds sentences where that model has no tower for texts: a folder, or its name in the local Hugging Face cache. \
      That both belong together is not checked.
      """, valueName: "folder"))
  var photosTextModel: String?

  func library(threads: Int?) throws(ApusError) -> PhotoLibrary? {
    guard let photos else { return nil }
    return try PhotoLibrary(
      index: photos, model: photosModel, textModel: photosTextModel, threads: threads)
  }
}
