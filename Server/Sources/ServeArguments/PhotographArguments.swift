import Apus
import ApusServer
import ArgumentParser

/// The photographs that can be searched.
struct PhotographArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An index of photographs, which 'apus photos index' made: clients can search it, and see what it has.",
      valueName: "index"))
  var photos: String?

  @Option(
    help: ArgumentHelp(
      "Which model, where the index has vectors of several: its name or a part of it.", valueName: "name"))
  var photosModel: String?

  func library(threads: Int?) throws(ApusError) -> PhotoLibrary? {
    guard let photos else { return nil }
    return try PhotoLibrary(index: photos, model: photosModel, threads: threads)
  }
}
