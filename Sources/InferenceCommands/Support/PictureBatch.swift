import CommandSupport
import Apus

/// The pictures that a command was given, and how its threads are shared between them.
struct PictureBatch {
  let files: [String]
  /// Arguments that stand for no file.
  let failures: [(path: String, error: ApusError)]
  /// Pictures worked on at a time.
  let width: Int
  let threadsPerRun: Int

  init(_ arguments: [String], _ list: ListArguments, threads: Int) {
    let entries = PictureList.expand(arguments, list)
    files = entries.compactMap { if case .file(let path) = $0 { path } else { nil } }
    failures = entries.compactMap {
      if case .failure(let path, let error) = $0 { (path, error) } else { nil }
    }
    // Many pictures keep all threads busy with one each; few share the threads.
    let isMany = files.count > threads
    width = isMany ? threads : 1
    threadsPerRun = isMany ? 1 : threads
  }

  /// The pictures, and the model that looks at them. One that cannot be used fails before a list is read from standard
  /// input, which may be long in coming.
  /// - Parameter open: opens the model for so many threads of a run.
  static func open<Model>(
    _ arguments: [String], _ list: ListArguments, threads: Threads,
    _ open: (Int) throws(ApusError) -> Model
  ) throws(ApusError) -> (pictures: PictureBatch, model: Model) {
    let threads = threads.resolve()
    let early = arguments.contains("-") ? try open(threads) : nil
    let pictures = PictureBatch(arguments, list, threads: threads)
    if let early, pictures.threadsPerRun == threads { return (pictures, early) }
    // While the first is there, the second of a folder finds its weights packed.
    return try withExtendedLifetime(early) { () throws(ApusError) in
      (pictures, try open(pictures.threadsPerRun))
    }
  }

  var total: Int { files.count + failures.count }

  var pictures: some Sequence<Picture> { files.lazy.map(Picture.file) }
}
