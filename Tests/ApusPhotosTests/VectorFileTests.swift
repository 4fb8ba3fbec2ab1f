import CLibrary
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// The derived file of vectors: what is written is read, and whatever is not what was written is a reason to make it anew.
@Suite struct VectorFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/vectors.i8" }
  private static let model = Array("a model's digest".utf8)

  init() throws { folder = try TemporaryFolder() }

  private static func rows(_ ids: some Sequence<Int>, width: Int = 70) -> [VectorRow] {
    ids.map { id in
      var random = SeededRandom(seed: UInt64(id))
      return VectorRow(contentID: Int64(id), numbers: random.floats(width))
    }
  }

  private func rebuild(_ ids: some Sequence<Int>, width: Int = 70, revision: Int64 = 1) throws {
    try VectorFile.rebuild(
      path, width: width, model: Self.model, revision: revision, rows: Self.rows(ids, width: width))
  }

  private func open(width: Int = 70, model: [UInt8] = model, revision: Int64? = nil) throws -> VectorFile {
    try VectorFile.open(path, width: width, model: model, revision: revision)
  }

  private func append(_ ids: some Sequence<Int>, from: Int64, to: Int64) throws -> VectorFile.Change {
    try VectorFile.append(Self.rows(ids), to: path, width: 70, model: Self.model, from: from, to: to)
  }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 2500])
  func rowsAreThoseThatWereWritten(_ count: Int) throws {
    try rebuild(5..<5 + count)
    let file = try open(revision: 1)
    #expect(file.count == count)
    #expect(file.contentIDs == (5..<5 + count).map(Int64.init))
    #expect(file.firstFault() == nil)
  }

  /// Every number is within half a step of the 127 between zero and the greatest.
  @Test(arguments: [1, 63, 64, 65, 512, 513])
  func rowsAreTheVectors(_ width: Int) throws {
    let rows = Self.rows(0..<9, width: width)
    try VectorFile.rebuild(path, width: width, model: Self.model, revision: 1, rows: rows)
    let file = try open(width: width)
    for (index, row) in rows.enumerated() {
      let place = file.layout.place(of: index)
      let scale = file.base.load(fromByteOffset: place.scale, as: Float.self)
      for (column, number) in row.numbers.enumerated() {
        let byte = file.base.load(fromByteOffset: place.numbers + column, as: Int8.self)
        #expect(abs(Float(byte) * scale - number) <= scale * 0.501)
      }
    }
  }

  /// Appended in any portions, a file has the bytes of one that is made in one go.
  @Test func appendedRowsAreThoseOfARebuild() throws {
    try rebuild(0..<3000)
    let whole = try FileBytes.read(path)
    try rebuild(0..<1000)
    var end = 1000
    for count in [1, 22, 1, 0, 1024, 952] {
      #expect(try append(end..<end + count, from: 1, to: 1) == .done)
      end += count
    }
    #expect(end == 3000)
    #expect(try FileBytes.read(path) == whole)
  }

  /// A mapping from before shows what there was; another opening shows the rest.
  @Test func mappedFilesStayAsTheyAre() throws {
    try rebuild(0..<10)
    let before = try open()
    #expect(try append(10..<2000, from: 1, to: 2) == .done)
    #expect(before.contentIDs.count == 10)
    #expect(before.firstFault() == nil)
    #expect(try open(revision: 2).count == 2000)
  }

  @Test func removedRowsAreLeftOut() throws {
    try rebuild(0..<1500)
    let before = try open()
    let gone: Set<Int64> = [3, 1400, 77_777]
    let change = try VectorFile.remove(gone, from: path, width: 70, model: Self.model, from: 1, to: 2)
    #expect(change == .done)
    let file = try open(revision: 2)
    #expect(file.count == 1498)
    let left = (0..<1500).filter { (id: Int64) in !gone.contains(id) }
    #expect(file.contentIDs == left)
    #expect(before.contentIDs == file.contentIDs)
    #expect(file.firstFault() == nil)
    #expect(file.rows(of: [1400, 4, 3, 1499]) == [4, 1499])
  }

  @Test func rowsOfContentsInAnyOrder() throws {
    try rebuild([7, 3, 900, 5, 1, 2000, 4])
    let file = try open()
    #expect(file.rows(of: [5, 3, 8, 2000, -1, 3]) == [1, 3, 5])
    #expect(file.rows(of: []) == [])
    #expect(file.rows(of: (0..<3000).map { $0 }) == Array(0..<7))
  }

  @Test func otherFilesAreRefused() throws {
    #expect(throws: VectorFileFault.missing) { try open() }
    try folder.write("vectors.i8", "not vectors")
    #expect(throws: VectorFileFault.notVectors) { try open() }
    try folder.write("vectors.i8", "")
    #expect(throws: VectorFileFault.notVectors) { try open() }
    try rebuild(0..<3)
    #expect(throws: VectorFileFault.otherModel) { try open(model: [1]) }
    #expect(throws: VectorFileFault.width(found: 70, expected: 71)) { try open(width: 71) }
    #expect(throws: VectorFileFault.revision(found: 1, expected: 2)) { try open(revision: 2) }
    var bytes = try FileBytes.read(path)
    bytes[8] = 9
    try folder.write("vectors.i8", bytes)
    #expect(throws: VectorFileFault.version(9)) { try open() }
  }

  /// Whatever bit of the header's 128 bytes changes, the file is refused.
  @Test func everyBitOfTheHeaderCounts() throws {
    try rebuild(0..<3)
    let bytes = try FileBytes.read(path)
    for bit in 0..<8 * VectorFileHeader.byteCount {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      try folder.write("vectors.i8", changed)
      #expect(throws: VectorFileFault.self, "bit \(bit)") { try open() }
    }
  }

  /// Whatever bit of a row changes, its check finds it, but for the mark of a removed row.
  @Test func everyBitOfARowCounts() throws {
    try rebuild(0..<3)
    let bytes = try FileBytes.read(path)
    let place = try open().layout.place(of: 1)
    let parts = [(place.numbers, 128), (place.scale, 4), (place.check, 4), (place.id, 8)]
    for (start, count) in parts {
      for bit in 8 * start..<8 * (start + count) {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        try folder.write("vectors.i8", changed)
        #expect(throws: VectorFileFault.damaged("row 1"), "bit \(bit)") { try open() }
      }
    }
  }

  /// Opening checks the last group; all others are checked when somebody asks.
  @Test func damageFurtherUpIsFoundByTheCheck() throws {
    try rebuild(0..<3000)
    var bytes = try FileBytes.read(path)
    bytes[VectorFileLayout.headerByteCount + 5] ^= 1
    try folder.write("vectors.i8", bytes)
    #expect(try open().firstFault() == .damaged("row 0"))
  }

  @Test(arguments: [0, 100, 4096, 5000, 200_000])
  func shortFilesAreRefused(_ byteCount: Int) throws {
    try rebuild(0..<3000)
    #expect(truncate(path, byteCount) == 0)
    #expect(throws: VectorFileFault.self) { try open() }
    if byteCount >= 128 { #expect(throws: VectorFileFault.self) { try open(revision: 1) } }
    #expect(try append([9000], from: 1, to: 2) != .done)
  }

  /// An append that stops after any of its writes leaves the file as it was, or one that is refused.
  @Test func appendsThatStopAnywhere() throws {
    try rebuild(0..<1020)
    let before = try FileBytes.read(path)
    #expect(try append(1020..<1030, from: 1, to: 2) == .done)
    let after = try FileBytes.read(path)
    // Bytes reach the file in order of writing: rows first, in whatever portions, then the header.
    let changed = after.indices.filter { $0 >= before.count ? after[$0] != 0 : after[$0] != before[$0] }
    let body = changed.filter { $0 >= VectorFileLayout.headerByteCount }
    var random = SeededRandom()
    for _ in 0..<40 {
      var state = before + [UInt8](repeating: 0, count: after.count - before.count)
      for index in body.shuffled(using: &random).prefix(Int.random(in: 0...body.count, using: &random)) {
        state[index] = after[index]
      }
      try folder.write("vectors.i8", state)
      let file = try open(revision: 1)
      #expect(file.count == 1020 && file.firstFault() == nil)
      #expect(throws: VectorFileFault.revision(found: 1, expected: 2)) { try open(revision: 2) }
      // The next append goes over what was left.
      #expect(try append(1020..<1030, from: 1, to: 2) == .done)
      #expect(try FileBytes.read(path) == after)
    }
    // A header that is torn is no header.
    for count in 9..<VectorFileHeader.byteCount where Array(before[..<count]) != Array(after[..<count]) {
      var state = after
      for index in count..<VectorFileHeader.byteCount { state[index] = before[index] }
      guard state != after else { continue }
      try folder.write("vectors.i8", state)
      #expect(throws: VectorFileFault.damaged("its header")) { try open() }
    }
  }

  @Test func changesOfOtherFilesAreRefused() throws {
    #expect(try append([1], from: 1, to: 2) == .refused(.missing))
    try rebuild(0..<3)
    #expect(try append([4], from: 5, to: 6) == .refused(.revision(found: 1, expected: 5)))
    #expect(
      try VectorFile.append([], to: path, width: 70, model: [], from: 1, to: 2) == .refused(.otherModel))
    #expect(try open().count == 3)
  }

  @Test func vectorsThatAreNone() throws {
    try rebuild(0..<3)
    let bad = [
      VectorRow(contentID: 1, numbers: []), VectorRow(contentID: -1, numbers: Array(repeating: 1, count: 70)),
      VectorRow(contentID: 1, numbers: Array(repeating: .nan, count: 70)),
      VectorRow(contentID: 1, numbers: Array(repeating: .infinity, count: 70)),
    ]
    for row in bad {
      #expect(throws: ApusError.self) {
        try VectorFile.append([row], to: path, width: 70, model: Self.model, from: 1, to: 2)
      }
      let builder = try VectorFileBuilder(replacing: path + "2", width: 70, model: Self.model)
      #expect(throws: ApusError.self) { try builder.add(row) }
    }
    #expect(try open(revision: 1).contentIDs == [0, 1, 2])
    for width in [0, -1, 1 << 17] {
      #expect(throws: ApusError.self) {
        _ = try VectorFileBuilder(replacing: path, width: width, model: Self.model)
      }
    }
    #expect(FileSystem.names(in: folder.path) == ["vectors.i8"])
  }

  /// A header that counts more rows than were mapped is read again once its writer is done.
  @Test func openingWhileTheFileGrows() async throws {
    try rebuild(0..<1024)
    let shorter = try FileBytes.read(path).count
    #expect(try append(1024..<1030, from: 1, to: 2) == .done)
    let whole = try FileBytes.read(path)
    try folder.write("vectors.i8", Array(whole.prefix(shorter)))
    #expect(throws: VectorFileFault.short(found: shorter, expected: whole.count)) { try open() }
    let file: Task<VectorFile, any Error>
    do {
      let writer = try FileLock(path, .exclusive)
      file = Task.detached { try open() }
      try await Task.sleep(for: .milliseconds(50))
      try whole.withUnsafeBytes { try writer.write($0, at: 0) }
    }
    #expect(try await file.value.count == 1030)
  }

  /// Some add rows while others read: every opening shows a state that somebody wrote.
  @Test func appendsAndReadersAtOnce() async throws {
    try rebuild(0..<1)
    try await withThrowingTaskGroup { group in
      group.addTask {
        for count in 1..<60 {
          let first = (count - 1) * 37 + 1
          let change = try append(first..<first + 37, from: Int64(count), to: Int64(count + 1))
          #expect(change == .done)
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<300 {
            let file = try open()
            #expect(file.count == Int(file.revision - 1) * 37 + 1)
            #expect(file.firstFault(threads: 1) == nil)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
