import Formats
import Networks
import TensorCore

/// Looks for models in folders and below.
///
/// Links in them are followed last, so that what one leads to has its own name where that is found, too.
struct ModelSearch {
  /// Where a model lies, or weights that are none by themselves.
  struct Place {
    let path: String
    /// Why it is no model, where that is known already.
    var refusal: ApusError?
  }

  /// How far below a folder models are looked for.
  private static let depth = 6

  private struct Step {
    let path: String
    let depth: Int
    /// Whether it lies in the folder of a model, in which `.tflite` files are models and nothing else is: `.onnx` files there
    /// are another form of that model.
    let isInModel: Bool
  }

  private struct Visit: Hashable {
    let folder: ExactText
    let isInModel: Bool
  }

  /// The models found, possibly under several names.
  private(set) var places: [Place] = []
  /// Folders whose names cannot be read, and why.
  private(set) var failures: [ApusError] = []
  private var links: [Step] = []
  /// Folders that need no second look, without links.
  private var visits: Set<Visit> = []

  init(in folders: [String]) {
    for folder in folders { look(at: Step(path: folder, depth: Self.depth, isInModel: false)) }
    var next = 0
    while next < links.count {
      look(at: links[next])
      next += 1
    }
  }

  private mutating func look(at step: Step) {
    let path = step.path
    guard FileSystem.isFolder(path) else {
      if FileSystem.isFile(path) { places.append(Place(path: path)) }
      return
    }
    let folder = FileSystem.resolved(path) ?? path
    guard visits.insert(Visit(folder: ExactText(folder), isInModel: step.isInModel)).inserted else { return }
    let names: [String]
    do { names = try FileSystem.entries(of: path) } catch {
      failures.append(error)
      return
    }
    let isModel = !step.isInModel && Self.isModel(path, names)
    if isModel {
      places.append(Place(path: path))
    } else if !step.isInModel {
      places += Self.undescribed(in: path, names)
    }
    for name in names {
      let place = Self.path(name, in: path)
      let isNamed = name.hasSuffix(".tflite") || name.hasSuffix(".onnx") && !step.isInModel && !isModel
      let isFile = isNamed && FileSystem.isFile(place)
      guard isFile || (step.depth > 0 && !name.hasPrefix(".") && FileSystem.isFolder(place)) else { continue }
      let below = Step(path: place, depth: step.depth - 1, isInModel: step.isInModel || isModel)
      if FileSystem.resolved(place) == Self.path(name, in: folder) {
        look(at: below)
      } else {
        links.append(below)
      }
    }
  }

  private static func path(_ name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

extension ModelSearch {
  /// Whether a folder holds one model: weights, and a description of their network.
  private static func isModel(_ path: String, _ names: [String]) -> Bool {
    let isDescribed = names.contains("config.json") || names.contains(ModelFolder.openCLIPFile)
    if isDescribed, names.contains(where: isWeights) || hasONNXFiles(path, names) { return true }
    let list = Self.path("modules.json", in: path)
    guard FileSystem.isFile(list), (try? ModuleList(contentsOf: list))?.modules.isEmpty == false,
      let folder = try? ModelFolder(path)
    else { return false }
    return folder.names.contains(where: isWeights)
  }

  /// Whether the networks of a model are in ONNX files, here or in the folder `onnx`.
  private static func hasONNXFiles(_ path: String, _ names: [String]) -> Bool {
    guard names.contains(where: { $0 == "onnx" || $0.hasSuffix(".onnx") }),
      let folder = try? ModelFolder(path)
    else { return false }
    return !ONNXFiles(in: folder).isEmpty
  }

  /// Weights in a folder without a description: torchvision's, which are a model by their names, or files that belong to a
  /// model elsewhere, such as adapters.
  private static func undescribed(in path: String, _ names: [String]) -> [Place] {
    let weights = names.filter { isWeights($0) && FileSystem.isFile(Self.path($0, in: path)) }
    guard !weights.isEmpty else { return [] }
    let refusal: ApusError?
    do throws(ApusError) {
      _ = try OpenedModel(path)
      return [Place(path: path)]
    } catch {
      refusal = error.kind == .unsupportedModel ? error : nil
    }
    // An index stands for the files that it lists.
    let indices = weights.filter { $0.hasSuffix(indexEnding) }
    return (indices.isEmpty ? weights : indices).map { name in
      let place = Self.path(name, in: path)
      let plain = ApusError(
        .configuration, "has weights, and no config.json is beside it", expected: "the folder of a model",
        file: place)
      return Place(path: place, refusal: refusal ?? plain)
    }
  }

  private static let indexEnding = ".index.json"

  private static func isWeights(_ name: String) -> Bool { ModelFolder.isWeights(name) }
}
