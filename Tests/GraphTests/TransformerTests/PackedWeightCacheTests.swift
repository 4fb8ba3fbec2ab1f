import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// The cache of packed weights on disk: what is in it is what was packed, and nothing that happens to the file
/// changes a result.
@Suite struct PackedWeightCacheTests {
  private let folder: TemporaryFolder
  private let test: LinearCase
  private let operands: LinearCase.Operands
  private let wanted: [Float]

  init() throws {
    folder = try TemporaryFolder()
    var random = SeededRandom()
    test = LinearCase(shape: [5, 70], columns: [33, 20], storage: .bfloat16, precision: .int8)
    operands = try test.operands(&random)
    wanted = try test.run(operands)
  }

  private func cache(
    _ model: String = "model", network: String = "image", _ change: (inout CompileOptions) -> Void = { _ in }
  ) -> PackedWeightCache {
    var options = CompileOptions()
    options.precision = .int8
    change(&options)
    return PackedWeightCache(
      model: model, network: network, options: options, folder: "\(folder.path)/apus")
  }

  /// Runs the layer with a store over `cache`; says whether anything had to be written.
  private func run(_ cache: PackedWeightCache) throws -> (result: [Float], wrote: Bool) {
    var test = test
    let store = PackedWeightStore(cache: cache)
    test.store = store
    let result = try test.run(operands)
    return (result, store.writeCache())
  }

  @Test func theSecondStartPacksNothing() throws {
    let first = try run(cache())
    #expect(first.result == wanted && first.wrote)
    let second = try run(cache())
    #expect(second.result == wanted && !second.wrote)
    // Another model, network, precision or instruction set has a file of its own.
    #expect(try run(cache("other")).wrote)
    #expect(cache(network: "text").path != cache().path)
    #expect(cache { $0.precision = .float32 }.path != cache().path)
    for kernels in KernelSet.available where kernels.name != KernelSet.best.name {
      #expect(cache { $0.kernels = kernels }.path != cache().path)
    }
  }

  @Test func everyDamageIsNoticed() throws {
    let path = cache().path
    _ = try run(cache())
    let whole = try FileBytes.read(path)
    // Header, key, digest, place, sizes; first and last bytes of the section; padding is not read.
    for position in Array(0..<120) + [4096, 4097, 9000] {
      var bytes = whole
      bytes[position] ^= 0x10
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let found = try run(cache())
      #expect(found.result == wanted && found.wrote, "byte \(position)")
      #expect(try FileBytes.read(path) == whole, "byte \(position) is mended")
    }
    for count in [0, 1, 55, 56, 120, 4096, whole.count / 2] {
      try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: path))
      let found = try run(cache())
      #expect(found.result == wanted && found.wrote, "\(count) bytes")
    }
  }

  @Test func changedWeightsAreNotTakenFromIt() throws {
    _ = try run(cache())
    var random = SeededRandom(seed: 7)
    var other = operands
    other.weights[0] = try LinearCase.stored(random.floats(33 * 70), [33, 70], as: .bfloat16, &random)
    var test = test
    let expected = try test.run(other)
    test.store = PackedWeightStore(cache: cache())
    #expect(try test.run(other) == expected)
    #expect(test.store?.writeCache() == true)
  }

  /// Sizes inside the last page, inside a section and at a page's end: a page that is cut is zeros, not missing.
  @Test(arguments: [1, 8, 16, 17, 900, 4096, 6000]) func aFileCutShortWhileInUseFailsTheRun(_ lost: Int)
    throws
  {
    _ = try run(cache())
    let size = try FileBytes.read(cache().path).count
    var test = test
    let store = PackedWeightStore(cache: cache())
    test.store = store
    let compiled = try test.compile(operands)
    #expect(try compiled.run([operands.x])[0].elements() == wanted)
    #expect(truncate(cache().path, size - lost) == 0)
    for _ in 0..<2 {
      let error = #expect(throws: ApusError.self) { try compiled.run([operands.x]) }
      #expect(error?.kind == .file && error?.file == cache().path)
    }
    #expect(throws: ApusError.self) { try test.compile(operands) }
    // What was lost is not written as if it were weights, also when others were packed since.
    var other = test
    other.columns.reverse()
    var others = operands
    others.weights.reverse()
    others.biases.reverse()
    _ = try? other.run(others)
    #expect(!store.writeCache())
    // The next one who opens the model packs anew.
    let next = try run(cache())
    #expect(next.result == wanted && next.wrote)
    #expect(try run(cache()) == (wanted, false))
  }

  /// What changed since it was read is not written under a digest that is made of it then.
  @Test func aFileChangedWhileInUseIsNotWrittenAsIfItWereSound() throws {
    _ = try run(cache())
    var test = test
    let store = PackedWeightStore(cache: cache())
    test.store = store
    #expect(try test.run(operands) == wanted)
    let changed = try FileBytes.read(cache().path)[4097] ^ 0x10
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: cache().path))
    try file.seek(toOffset: 4097)
    try file.write(contentsOf: [changed])
    try file.close()
    // Others were packed since, so that there is something to write.
    var other = test
    other.columns.reverse()
    var others = operands
    others.weights.reverse()
    others.biases.reverse()
    _ = try other.run(others)
    #expect(!store.writeCache())
    // The next one who opens the model finds the damage, and packs anew.
    #expect(try run(cache()) == (wanted, true))
    #expect(try run(cache()) == (wanted, false))
  }

  @Test func whatKilledProcessesLeftIsRemoved() throws {
    let folder = "\(folder.path)/apus"
    _ = try run(cache())
    let left = "\(cache().path).9D0F.part"
    try Data("half a file".utf8).write(to: URL(fileURLWithPath: left))
    // A file that is being written stays, and gets its name.
    let written = try NewFile(replacing: "\(folder)/another.packed")
    try written.write([1, 2, 3])
    #expect(try run(cache("other")).wrote)
    #expect(!FileManager.default.fileExists(atPath: left))
    try written.commit()
    #expect(try FileBytes.read("\(folder)/another.packed") == [1, 2, 3])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasSuffix(".packed") })
  }

  @Test func versionsOfThePackingHaveFilesOfTheirOwn() throws {
    _ = try run(cache())
    var options = CompileOptions()
    options.precision = .int8
    let later = PackedWeightCache(
      model: "model", network: "image", options: options, folder: "\(folder.path)/apus",
      layout: PackedMatrix.layoutVersion + 1)
    #expect(later.path != cache().path)
    try Data("another program's".utf8).write(to: URL(fileURLWithPath: later.path))
    #expect(try run(cache()) == (wanted, false))
    _ = try run(cache("other"))
    #expect(try FileBytes.read(later.path) == Array("another program's".utf8))
  }

  @Test func anUnwritableFolderIsNoError() throws {
    try Data("a file".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/apus"))
    let found = try run(cache())
    #expect(found.result == wanted && !found.wrote)
  }

  @Test func severalWritersLeaveOneWholeFile() async throws {
    try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<8 { group.addTask { try run(cache()).result } }
      for try await result in group { #expect(result == wanted) }
    }
    #expect(try run(cache()) == (wanted, false))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/apus")
    #expect(names.count == 1)
  }

  /// What the kernels in use cannot read is told apart from what they can; what is still written is neither.
  @Test func entriesSayWhatIsUsable() throws {
    let model = folder.path
    _ = try run(cache(model))
    for kernels in KernelSet.available where kernels.name != KernelSet.best.name {
      _ = try run(cache(model) { $0.kernels = kernels })
    }
    try folder.write("apus/broken.int8.packed", "not packed")
    try folder.write("apus/half.int8.packed.1.part", "half")
    try folder.write("apus/notes.txt", "something else")
    let entries = try CacheFolder.entries(in: folder.path + "/apus")
    #expect(entries.count == 2 + KernelSet.available.count - 1)
    #expect(entries.filter(\.isUsable).map(\.path) == [cache(model).path])
    for entry in entries {
      #expect(entry.byteCount > 0 && abs(entry.time - Date().timeIntervalSince1970) < 600)
    }
    #expect(try CacheFolder.entries(in: "/nonexistent").isEmpty)
  }

  /// Nothing reads the packed weights of a model that is gone, or that was changed since.
  @Test func modelsThatAreGoneOrChangedHaveNone() throws {
    let (model, elsewhere) = (folder.path + "/models/one", folder.path + "/elsewhere")
    let bytes = operands.weights[0].withBytes { Array($0) }
    func pack() throws {
      let path = try folder.write("models/one/weights", bytes)
      var (test, operands) = (test, operands)
      let type = operands.weights[0].type
      operands.weights[0] = try Tensor(type, storage: MappedFile(path).storage, byteOffset: 0)
      test.store = PackedWeightStore(cache: cache(model))
      #expect(try test.run(operands) == wanted)
      #expect(test.store?.writeCache() == true)
    }
    func isUsable() throws -> Bool {
      let entry = try #require(try CacheFolder.entries(in: folder.path + "/apus").first)
      #expect(entry.model == FileSystem.resolved(folder.path).map { $0 + "/models/one" })
      return entry.isUsable
    }
    try pack()
    #expect(try isUsable())
    try FileManager.default.moveItem(atPath: model, toPath: elsewhere)
    #expect(try !isUsable())
    try FileManager.default.moveItem(atPath: elsewhere, toPath: model)
    #expect(try isUsable())
    try folder.write("models/one/weights", bytes)
    #expect(try !isUsable())
    try pack()
    #expect(try isUsable())
    FileSystem.removeFile(model + "/weights")
    #expect(try !isUsable())
  }

  /// A model that is not there comes back with its disk, unless that is mounted.
  @Test func packedWeightsWaitForADisk() throws {
    func state(_ model: String, mountedAt mount: String) -> PackedWeightOrigin.State? {
      PackedWeightOrigin(Array("\(model)\0\(mount)\0".utf8))?.state
    }
    let present = folder.path
    #expect(state(present, mountedAt: "/") == .present && state(present, mountedAt: "/absent") == .present)
    #expect(state("\(present)/absent", mountedAt: "/") == .gone)
    #expect(state("/proc/absent", mountedAt: "/proc") == .gone)
    // What is left of a disk is a folder, or nothing.
    #expect(state("\(present)/absent", mountedAt: present) == .away)
    #expect(state("/absent/disk/model", mountedAt: "/absent/disk") == .away)
    for bytes in ["", "a", "a\0", "a\0b\0c\0d\0e\0", "a\0b\0c\0d\0", "a\0b\0c\0d\u{30}\0"] {
      #expect(PackedWeightOrigin(Array(bytes.utf8)) == nil, "\(bytes)")
    }
    let bytes = Array("m\0/\0f\0/\u{0}1 2 3 4 5\0".utf8)
    #expect(PackedWeightOrigin(bytes)?.bytes == bytes)
  }

  @Test func theEnvironmentDecides() throws {
    let options = CompileOptions()
    let path = { (environment: [String: String]) in
      PackedWeightCache(model: "m", network: "image", options: options, environment: environment)?.path
    }
    #expect(path(["APUS_CACHE": "off", "HOME": "/h"]) == nil)
    #expect(path([:]) == nil)
    #expect(path(["HOME": "/h"])?.hasPrefix("/h/.cache/apus/") == true)
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "/x"])?.hasPrefix("/x/apus/") == true)
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "relative"])?.hasPrefix("/h/.cache/apus/") == true)
  }

  /// A service has no home folder, and its unit leads to the one that systemd makes for its caches.
  @Test func theServiceKeepsItsCacheWhereItMayWrite() throws {
    let unit = try String(contentsOf: Checkout.file("Server/apus-serve.service"), encoding: .utf8)
    var environment = ["HOME": "/"]
    for line in unit.split(separator: "\n") where line.hasPrefix("Environment=") {
      let parts = line.dropFirst("Environment=".count).split(separator: "=", maxSplits: 1)
      environment[String(parts[0])] = String(parts[1]).replacing("%C", with: "/var/cache")
    }
    for variable in EnvironmentVariable.allCases { try variable.check(in: environment) }
    #expect(unit.contains("\nCacheDirectory=apus\n"))
    #expect(PackedWeightCache.folder(environment) == "/var/cache/apus")
  }
}
