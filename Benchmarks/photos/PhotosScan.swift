import ApusPhotos
import CLibrary
import Dispatch
import Kernels
import TensorCore

/// Answers lines of commands with lines of nanoseconds and results, so that `Benchmarks/photos-scan` can measure the
/// search of an index in turns with other programs.
///
/// Usage: photos-scan new FOLDER makes an index with nothing in it. photos-scan FOLDER QUERIES.npy searches one that has
/// vectors of a model with the digest below; queries are float32.
@main struct PhotosScan {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 2 else {
      print("usage: photos-scan new FOLDER | photos-scan FOLDER QUERIES.npy")
      exit(2)
    }
    if arguments[0] == "new" {
      _ = try PhotoIndex(at: arguments[1], creating: true)
    } else {
      try Session.run(index: arguments[0], queries: arguments[1])
    }
  }
}

private enum Session {
  private static let digest = Array("photos-scan-0001".utf8)
  private static let top = 10

  static func run(index folder: String, queries: String) throws {
    let queries = try Matrix(queries)
    let index = try PhotoIndex(at: folder)
    // The first search makes the file of vectors.
    let searchers = try (0...2).map { try PhotoSearcher(index, threads: max(1, $0)) }
    let making = try time { try searchers[1].matches(queries.row(0), count: top) }
    let words = digest.withUnsafeBytes { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
    let path = "\(folder)/vectors-\(ContentDigest(words: words).hexadecimal).i8"
    let database = FileSystem.version(of: "\(folder)/index.sqlite")?.byteCount ?? 0
    answer("\(making.nanoseconds) \(FileSystem.version(of: path)?.byteCount ?? 0) \(database)")
    let plain = try MappedFile(path)
    let file = try VectorFile.open(path, width: queries.width, model: digest)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch (words.first, numbers.count) {
      case ("open", 0):
        let opening = try time { try VectorFile.open(path, width: file.width, model: digest, revision: 0) }
        answer("\(opening.nanoseconds)")
      case ("read", 0):
        let bytes = plain.byteCount / 4096 * 4096
        let reading = time { KernelSet.best.float.readBytes(plain.storage.base, bytes, 1) }
        answer("\(reading.nanoseconds) \(bytes)")
      case ("check", 0):
        let checking = time { file.firstFault(threads: 1) }
        answer("\(checking.nanoseconds) \(checking.result == nil ? "sound" : "damaged")")
      case ("memory", 0): answer(memory)
      // scan QUERY THREADS STEP: the candidates among each STEP-th row.
      case ("scan", 3):
        let (query, rows) = (queries.row(numbers[0] % queries.rows), some(numbers[2], of: file))
        let scan = try time { try file.nearest(to: query, among: rows, count: 64, threads: numbers[1]) }
        answer(scan.nanoseconds, scan.result.elements.map(\.contentID))
      // search QUERY THREADS: the ten nearest photographs, with what the database says of them.
      case ("search", 2):
        let query = queries.row(numbers[0] % queries.rows)
        let search = try time { try searchers[min(2, numbers[1])].matches(query, count: top) }
        answer(search.nanoseconds, search.result.map(\.photo.id))
      default: answer("unknown")
      }
    }
  }

  private static func some(_ step: Int, of file: VectorFile) -> VectorFile.Rows {
    step == 1 ? .all : .some(stride(from: 0, to: file.rowCount, by: step).map { Int32($0) })
  }

  private static func time<Result>(_ body: () throws -> Result) rethrows -> (
    nanoseconds: UInt64, result: Result
  ) {
    let start = DispatchTime.now().uptimeNanoseconds
    let result = try body()
    return (DispatchTime.now().uptimeNanoseconds - start, result)
  }

  private static func answer(_ nanoseconds: UInt64, _ contents: [Int64]) {
    answer("\(nanoseconds) \(contents.map(String.init).joined(separator: " "))")
  }

  private static func answer(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Kilobytes of this process's memory: files' pages, and all else.
  private static var memory: String {
    let lines = KernelFile.text("/proc/self/status")?.split(separator: "\n") ?? []
    return ["RssFile", "RssAnon"].map { name in
      lines.first { $0.hasPrefix(name) }.map { $0.filter(\.isNumber) } ?? "0"
    }.joined(separator: " ")
  }
}

/// A matrix of NumPy's in float32, mapped.
private struct Matrix {
  let rows: Int
  let width: Int
  private let file: MappedFile

  /// A matrix's header has 128 bytes.
  private static let headerByteCount = 128

  init(_ path: String) throws {
    file = try MappedFile(path)
    let header = String(
      decoding: UnsafeRawBufferPointer(
        start: file.storage.base, count: min(file.byteCount, Self.headerByteCount)), as: UTF8.self)
    let shape = header.split(separator: "(").last?.prefix { $0 != ")" } ?? ""
    let extents = shape.split(separator: ",").compactMap { Int($0.filter(\.isNumber)) }
    guard extents.count == 2, header.contains("<f4"),
      file.byteCount == Self.headerByteCount + extents[0] * extents[1] * 4
    else { throw ApusError(.argument, "not a matrix of float32", file: path) }
    (rows, width) = (extents[0], extents[1])
  }

  func row(_ row: Int) -> [Float] {
    let bytes = UnsafeRawBufferPointer(
      start: file.storage.base + Self.headerByteCount + row * width * 4, count: width * 4)
    return (0..<width).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
  }
}
