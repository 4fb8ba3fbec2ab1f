import Apus
import ApusService
import CommandSupport
import TensorCore

/// The models on this machine, as people and as programs read them.
struct ModelsReport {
  let device: DeviceCapabilities
  private let inventory: ModelInventory

  /// Why what was named is not there, or is a file and no model, and why folders could not be read.
  let failures: [(place: String, error: ApusError)]

  var models: [FoundModel] { inventory.models }

  /// - Parameter folders: where to look; none for the usual ones.
  init(_ folders: [String], includesHuggingFace: Bool = true) throws(ApusError) {
    device = try DeviceCapabilities.current()
    let inventory = ModelInventory(
      in: folders.isEmpty ? Self.usualFolders : folders, includesHuggingFace: includesHuggingFace)
    self.inventory = inventory
    failures =
      folders.compactMap { place in Self.failure(of: place, inventory).map { (place: place, error: $0) } }
      + inventory.unreadable.map { (place: $0.file ?? "", error: $0) }
  }

  private static func failure(of place: String, _ inventory: ModelInventory) -> ApusError? {
    if inventory.missing.contains(place) { return ApusError(.file, "there is no such folder", file: place) }
    guard FileSystem.isFile(place),
      let model = inventory.models.first(where: { ExactText($0.path) == ExactText(place) }),
      case .failure(let error) = model.properties
    else { return nil }
    return error.inFile(place)
  }

  /// `Weights` in the current folder, and in the folder of the sources that the program was built from.
  private static var usualFolders: [String] {
    var folders = ["Weights"]
    var folder = FileSystem.resolved("/proc/self/exe").map(FileName.folder) ?? ""
    while folder.count > 1 {
      if FileSystem.isFile(folder + "/Package.swift") { folders.append(folder + "/Weights") }
      folder = FileName.folder(of: folder)
    }
    return folders.filter(FileSystem.isFolder)
  }

  func print() {
    guard !models.isEmpty else {
      StandardStreams.printLine("no models found")
      return
    }
    var table = Table([
      ("model", .left), ("kind", .left), ("on disk", .right), ("as stored", .right), ("f32", .right),
      ("bf16", .right), ("int8", .right), ("a run", .right), ("packed", .left), ("here", .left),
    ])
    for model in models {
      guard let properties = try? model.properties.get() else { continue }
      let needs = properties.requirements
      let sizes = [properties.storedByteCount] + Precision.allCases.map { needs.weights[$0] }
      table.append(
        [model.name, properties.kind, Format.bytes(model.byteCount)]
          + sizes.map { $0.map(Format.bytes) ?? "" }
          + [
            Format.bytes(properties.workingByteCount),
            properties.packed.map(\.rawValue).joined(separator: ", "), verdict(needs),
          ])
    }
    if models.contains(where: \.isUsable) { table.print() }
    for model in models where !failures.contains(where: { $0.place == model.path }) {
      guard case .failure(let error) = model.properties else { continue }
      StandardStreams.printText("refused: \(error.inFile(model.name))")
    }
  }

  /// The shortfalls on this machine, or the precision to open the model in.
  func verdict(_ needs: ModelRequirements) -> String {
    let shortfalls = needs.check(on: device)
    guard shortfalls.isEmpty else { return shortfalls.map(\.description).joined(separator: "; ") }
    return needs.weights.isEmpty ? "runs" : "runs, \(device.recommendedPrecision(for: needs).rawValue)"
  }
}

extension ModelsReport {
  var json: JSON {
    .object(
      [
        ("models", .array(models.map(member))), ("memory_available", .integer(device.memory.available)),
        ("tier", .string(device.tier.rawValue)),
      ] + errorMember + [JSON.madeBy])
  }

  private var errorMember: [JSON.Member] {
    let problems = failures.map { "\($0.error)" }
    return problems.isEmpty ? [] : [("error", .string(problems.joined(separator: " ")))]
  }

  private func member(_ model: FoundModel) -> JSON {
    let head =
      [("name", JSON.string(FileName.readable(model.name)))] + JSON.file(model.path, as: "path")
      + [("bytes", .integer(model.byteCount))]
    switch model.properties {
    case .failure(let error): return .object(head + [("error", .string("\(error)"))])
    case .success(let properties):
      let needs = properties.requirements
      let weights = Precision.allCases.compactMap { precision in
        needs.weights[precision].map { (precision.rawValue, JSON.integer($0)) }
      }
      return .object(
        head + [
          ("kind", .string(properties.kind)), ("parameters", .integer(properties.parameterCount)),
          ("weight_bytes", .object(weights)),
          ("stored_bytes", properties.storedByteCount.map(JSON.integer) ?? .null),
          ("run_bytes", .integer(properties.workingByteCount)),
          ("packed", .strings(properties.packed.map(\.rawValue))),
          ("shortfalls", .strings(needs.check(on: device).map(\.description))),
          (
            "recommended_precision",
            needs.weights.isEmpty ? .null : .string(device.recommendedPrecision(for: needs).rawValue)
          ),
        ])
    }
  }
}
