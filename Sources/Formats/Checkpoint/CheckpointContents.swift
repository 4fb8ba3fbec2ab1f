import TensorCore

/// What stands in a checkpoint: the value that was saved, and where the elements of storages lie in the file.
struct CheckpointContents {
  let value: PickleValue
  let heap: PickleHeap
  let storages: [ExactText: Range<Int>]

  /// How files of the form before PyTorch 1.6 begin: a pickle of a number that stands for that form.
  private static let magic: [UInt8] = [
    0x80, 0x02, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19,
  ]
  /// How zip files begin.
  private static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  static let markByteCount = magic.count

  /// Whether a file that begins so is a checkpoint in one of the two forms, or may be one.
  static func mayBegin(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) || bytes.starts(with: zipMark) }

  /// - Throws: ``ApusError`` of kind `malformedModel` when the file is no checkpoint, or a damaged one; `unsupportedModel` when
  ///   it holds something else than tensors.
  init(_ bytes: StoredBytes) throws(ApusError) {
    if bytes.starts(with: Self.magic) {
      try self.init(stream: bytes)
    } else if let archive = try ZipArchive.atEnd(of: bytes, called: "zip archive") {
      try self.init(archive, bytes)
    } else {
      throw ApusError(
        .malformedModel, "neither a zip archive nor PyTorch's older form",
        expected: "a checkpoint of PyTorch",
        advice: "The file may have been downloaded in part only.")
    }
  }

  /// A zip archive: a pickle, and a file for each storage.
  private init(_ archive: ZipArchive<StoredBytes>, _ bytes: StoredBytes) throws(ApusError) {
    let pickle = "data.pkl"
    guard let main = archive.entries.first(where: { $0.name == pickle || $0.name.hasSuffix("/" + pickle) })
    else {
      throw ApusError(
        .malformedModel, "a zip archive without \(pickle)", expected: "a checkpoint of PyTorch")
    }
    let folder = String(main.name.dropLast(pickle.count))
    let entries = Dictionary(
      archive.entries.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    guard entries[ExactText(folder + "constants.pkl")] == nil else {
      throw ApusError(
        .unsupportedModel, "a TorchScript program", expected: "the weights alone",
        advice: "Save them in Python: torch.save(model.state_dict(), file).")
    }
    if entries[ExactText(folder + "byteorder")] != nil {
      let order = try archive.contents(of: folder + "byteorder", limit: 100)
      try Self.requireLittleEndian(order.elementsEqual("little".utf8))
    }
    let text = try StoredBytes(archive.contents(of: main.name))
    var machine = PickleMachine(PickleReader(text, 0..<text.count))
    value = try machine.load()
    var storages: [ExactText: Range<Int>] = [:]
    for storage in machine.heap.storages where storages[storage.key] == nil {
      guard let entry = entries[ExactText("\(folder)data/\(storage.key)")] else {
        throw Self.missing(storage)
      }
      storages[storage.key] = try archive.storedRange(of: entry)
    }
    self.storages = storages
    heap = machine.heap
    try checkStorages()
  }

  /// The form before PyTorch 1.6: five pickles, one behind the other, then the elements of each storage behind their number.
  private init(stream bytes: StoredBytes) throws(ApusError) {
    var machine = PickleMachine(PickleReader(bytes, 0..<bytes.count))
    _ = try machine.load()
    guard case .integer(1001) = try machine.load() else {
      throw ApusError(.unsupportedModel, "another protocol of PyTorch's older form", expected: "1001")
    }
    if case .dictionary(let place) = try machine.load() {
      let isBig = machine.heap.dictionaries[place].contains {
        if case (.text("little_endian"), .bool(false)) = $0 { true } else { false }
      }
      try Self.requireLittleEndian(!isBig)
    }
    value = try machine.load()
    let keys = try machine.load()
    storages = try Self.storages(keys, &machine)
    heap = machine.heap
    try checkStorages()
  }

  private static func storages(
    _ keys: PickleValue, _ machine: inout PickleMachine
  ) throws(ApusError) -> [ExactText: Range<Int>] {
    guard let keys = machine.heap.elements(keys) else {
      throw machine.reader.error(keys.kind, expected: "a list of storages")
    }
    let known = Dictionary(
      machine.heap.storages.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var storages: [ExactText: Range<Int>] = [:]
    for key in keys {
      guard case .text(let key) = key, let storage = known[ExactText(key)] else {
        throw machine.reader.error("\(key.kind) in the list of storages", expected: "one of a tensor")
      }
      let count = try machine.reader.number(Int64.self)
      guard count == storage.wholeByteCount / storage.elementByteCount else {
        throw machine.reader.error(
          "storage '\(key.clipped)' of \(count) elements",
          expected: "\(storage.wholeByteCount / storage.elementByteCount)")
      }
      storages[ExactText(key)] = try machine.reader.take(storage.wholeByteCount)
    }
    return storages
  }

  private static func requireLittleEndian(_ isLittle: Bool) throws(ApusError) {
    guard isLittle else {
      throw ApusError(
        .unsupportedModel, "numbers with their highest byte first", expected: "the lowest first")
    }
  }

  /// Every storage is there, in the size that each of its tensors counts on.
  private func checkStorages() throws(ApusError) {
    for storage in heap.storages {
      guard let range = storages[storage.key] else { throw Self.missing(storage) }
      guard range.count == storage.wholeByteCount else {
        throw ApusError(
          .malformedModel, "storage '\(storage.key.clipped)' has \(range.count) bytes",
          expected: "\(storage.wholeByteCount)")
      }
    }
  }

  private static func missing(_ storage: CheckpointStorage) -> ApusError {
    ApusError(
      .malformedModel, "storage '\(storage.key.clipped)' is missing", expected: "the elements of all tensors")
  }
}
