/// Paths in a file: relative ones begin at its folder, wherever the program was started.
struct ModelPaths {
  private let folder: String

  /// - Parameter folder: with a slash at its end.
  init(_ folder: String) {
    // Two words with a slash between them would be a repository.
    self.folder = folder.hasPrefix("/") || folder.hasPrefix(".") ? folder : "./" + folder
  }

  /// Where a file is.
  func file(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

  /// Where a model is, or the name of a repository: two words with a slash between them, where nothing is called so.
  func model(_ path: String) -> String {
    let file = file(path)
    let isName =
      path.split(separator: "/", omittingEmptySubsequences: false).count == 2 && !path.hasPrefix("/")
      && !path.hasPrefix(".") && !path.hasSuffix(".tflite")
    // One that the program's own folder has would be taken for the repository.
    let isThere = ModelArguments.isThere(file[...]) || ModelArguments.isThere(path[...])
    return isName && !isThere ? path : file
  }
}
