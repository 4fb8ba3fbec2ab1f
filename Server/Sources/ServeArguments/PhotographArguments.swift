import Apus
import ApusServer
import ArgumentParser

/// The photographs that can be searched.
struct PhotographArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A photo index made by 'apus photos index', which clients can search and browse. Its model "
        + "need not be given.",
      valueName: "index"))
  var photos: String?

  @Option(
    help: ArgumentHelp(
      "Which model's vectors to use, if the index has several: its name or part of it.", valueName: "name"))
  var photosModel: String?

  @Option(
    help: ArgumentHelp(
      """
      A text tower for an index whose model embeds pictures only: a folder, or a name in the local Hugging Face cache. \
      That the two were trained together is not checked.
      """, valueName: "folder"))
  var photosTextModel: String?

  func library(threads: Int?) throws(ApusError) -> PhotoLibrary? {
    guard let photos else { return nil }
    return try PhotoLibrary(
      index: photos, model: photosModel, textModel: photosTextModel, threads: threads)
  }
}
