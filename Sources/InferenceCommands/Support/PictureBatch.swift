import Apus

/// Some of the pictures that a command was given, and how its threads are shared between them.
struct PictureBatch {
  let files: [String]
  /// Arguments that stand for no file.
  let failures: [(path: String, error: ApusError)]
  let threadsPerRun: Int
  /// Pictures worked on at a time.
  let width: Int

  /// - Parameters:
  ///   - names: files, folders and patterns.
  ///   - threads: that there are.
  ///   - threadsPerRun: of the model, where it is open.
  init(_ names: [String], threads: Int, threadsPerRun: Int? = nil) {
    let entries = names.flatMap(PictureList.expand)
    files = entries.compactMap { if case .file(let path) = $0 { path } else { nil } }
    failures = entries.compactMap {
      if case .failure(let path, let error) = $0 { (path, error) } else { nil }
    }
    // Many pictures keep all threads busy with one each; few share the threads.
    self.threadsPerRun = threadsPerRun ?? (files.count > threads ? 1 : threads)
    width = max(1, threads / self.threadsPerRun)
  }

  var total: Int { files.count + failures.count }

  var pictures: some Sequence<Picture> { files.lazy.map(Picture.file) }
}
