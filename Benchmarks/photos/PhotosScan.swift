import ApusPhotos
import Dispatch
import Glibc
import Kernels
import TensorCore

/// Answers lines of commands with lines of nanoseconds and results, so that `Benchmarks/photos-scan` can measure the
/// search of an index in turns with other programs.
///
/// Usage: photos-scan VECTORS.npy QUERIES.npy FILE. A vector file of the rows of the first, in float16, is made at FILE;
/// queries are float32.
@main struct PhotosScan {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3 else {
      print("usage: photos-scan VECTORS.npy QUERIES.npy FILE")
      exit(2)
    }
    try Session.run(arguments)
  }
}

private enum Session {
  private static let model = Array("photos-scan".utf8)

  static func run(_ arguments: [String]) throws {
    let (vectors, queries) = (try Matrix(arguments[0], of: "<f2"), try Matrix(arguments[1], of: "<f4"))
    let path = arguments[2]
    let making = try time {
      try VectorFile.rebuild(
        path, width: vectors.width, model: model, revision: 1,
        rows: (0..<vectors.rows).lazy.map {
          VectorRow(contentID: Int64($0), bytes: vectors.bytes($0))
        })
    }
    vectors.discard()
    answer(
      "\(making.nanoseconds) \(vectors.rows) \(vectors.width) \(FileSystem.version(of: path)?.byteCount ?? 0)"
    )
    let plain = try MappedFile(path)
    let file = try VectorFile.open(path, width: vectors.width, model: model)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch (words.first, numbers.count) {
      case ("open", 0):
        let opening = try time { try VectorFile.open(path, width: vectors.width, model: model, revision: 1) }
        answer("\(opening.nanoseconds)")
      case ("read", 0):
        let bytes = plain.byteCount / 4096 * 4096
        let reading = time { KernelSet.best.float.readBytes(plain.storage.base, bytes) }
        answer("\(reading.nanoseconds) \(bytes)")
      case ("check", 0):
        let checking = time { file.firstFault(threads: 1) }
        answer("\(checking.nanoseconds) \(checking.result == nil ? "sound" : "damaged")")
      case ("memory", 0): answer(memory)
      // scan QUERY THREADS STEP: the candidates among each STEP-th row.
      case ("scan", 3):
        let (query, rows) = (queries.floats(numbers[0] % queries.rows), some(numbers[2], of: file))
        let scan = try time { try file.nearest(to: query, among: rows, count: 10, threads: numbers[1]) }
        answer("\(scan.nanoseconds) \(scan.result.map { String($0.contentID) }.joined(separator: " "))")
      // search QUERY THREADS STEP: the ten nearest, in their exact order.
      case ("search", 3):
        let (query, rows) = (queries.floats(numbers[0] % queries.rows), some(numbers[2], of: file))
        let search = try time {
          let candidates = try file.nearest(to: query, among: rows, count: 10, threads: numbers[1])
          return try VectorRanking.matches(candidates, to: query, count: 10) { id in
            VectorRow(contentID: id, bytes: vectors.bytes(Int(id))).numbers
          }
        }
        answer("\(search.nanoseconds) \(search.result.map { String($0.contentID) }.joined(separator: " "))")
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

/// A matrix of NumPy's, mapped.
private struct Matrix {
  let rows: Int
  let width: Int
  private let file: MappedFile
  private let elementByteCount: Int

  /// A matrix's header has 128 bytes.
  private static let headerByteCount = 128

  /// - Parameter type: `<f2` or `<f4`.
  init(_ path: String, of type: String) throws {
    file = try MappedFile(path)
    elementByteCount = type == "<f2" ? 2 : 4
    let header = String(
      decoding: UnsafeRawBufferPointer(
        start: file.storage.base, count: min(file.byteCount, Self.headerByteCount)), as: UTF8.self)
    let shape = header.split(separator: "(").last?.prefix { $0 != ")" } ?? ""
    let extents = shape.split(separator: ",").compactMap { Int($0.filter(\.isNumber)) }
    guard extents.count == 2, header.contains(type),
      file.byteCount == Self.headerByteCount + extents[0] * extents[1] * elementByteCount
    else { throw ApusError(.argument, "not a matrix of \(type)", file: path) }
    (rows, width) = (extents[0], extents[1])
  }

  func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let size = width * elementByteCount
    return UnsafeRawBufferPointer(
      start: file.storage.base + Self.headerByteCount + row * size, count: size)
  }

  func floats(_ row: Int) -> [Float] {
    let bytes = bytes(row)
    return (0..<width).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
  }

  /// Gives back the memory of what was read.
  func discard() { file.discard(0..<file.byteCount) }
}
