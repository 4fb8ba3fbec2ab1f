import Apus

/// The pictures that a command was given, and how its threads are shared between them.
struct PictureBatch {
  let files: [String]
  /// Arguments that stand for no file.
  let failures: [(path: String, error: ApusError)]
  /// Pictures worked on at a time.
  let width: Int
  let threadsPerRun: Int

  init(_ arguments: [String], threads: Threads) {
    let entries = PictureList.expand(arguments)
    files = entries.compactMap { if case .file(let path) = $0 { path } else { nil } }
    failures = entries.compactMap {
      if case .failure(let path, let error) = $0 { (path, error) } else { nil }
    }
    let threads = threads.resolve()
    // Many pictures keep all threads busy with one each; few share the threads.
    let isMany = files.count > threads
    width = isMany ? threads : 1
    threadsPerRun = isMany ? 1 : threads
  }

  var total: Int { files.count + failures.count }

  var pictures: some Sequence<Picture> { files.lazy.map(Picture.file) }
}
