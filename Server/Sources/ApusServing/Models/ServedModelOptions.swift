import Apus
import CLibrary
import FoundationEssentials

/// A model as it is to be served.
@dynamicMemberLookup
public struct ServedModelOptions: Sendable {
  /// What clients call it.
  public var name: String
  /// A `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  public var path: String
  /// How it is opened, for each of its tasks: what a task has no use for is passed over. Each option is one of the model too:
  /// `model.threshold`. Limits of pictures are those of the server.
  public var options = ZeroShotClassifier.Options()
  /// A file with the names of classes; nil for the model's own.
  public var labelFile: String?
  /// What one request may take; nil for as long as it likes.
  public var latencyTarget: Duration?
  /// How long it stays in memory after its last use; nil for as long as there is room.
  public var keepAlive: Duration?
  /// Lesser forms, the best first, one of which is opened where there is no memory for the model.
  public var fallbacks: [Fallback] = []
  /// The tokens of texts that may wait for it, in place of ``ServingLimits/waitingTokens``; nil for that.
  public var waitingTokens: Int?
  /// The pixels of pictures that may wait for it, in place of ``ServingLimits/waitingPixels``; nil for that.
  public var waitingPixels: Int?
  /// The tokens of texts that are run together, in place of ``ServingLimits/batchTokens``; nil for that.
  public var batchTokens: Int?

  /// Whether its settings stand in a file, and not on the command line: what is said of them names the file's keys.
  package var isOfFile = false

  /// - Parameters:
  ///   - path: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - name: what clients call it; nil for the name of a repository, or that of the file without its ending, or folder.
  public init(_ path: String, name: String? = nil) {
    self.path = path
    self.name = name ?? Self.name(of: path)
  }

  /// One of the ``options``.
  public subscript<Value>(dynamicMember path: WritableKeyPath<ZeroShotClassifier.Options, Value>) -> Value {
    get { options[keyPath: path] }
    set { options[keyPath: path] = newValue }
  }

  /// The labels that pictures are scored against where a request names none.
  public var zeroShotLabels: [String] {
    get { options.labels }
    set { options.labels = newValue }
  }

  /// What transparent pixels of pictures become.
  public var transparency: ImageOptions.Transparency {
    get { options.image.transparency }
    set { options.image.transparency = newValue }
  }

  private static func name(of path: String) -> String {
    let isRepository =
      path.split(separator: "/", omittingEmptySubsequences: false).count == 2 && !path.hasPrefix(".")
      && !FileManager.default.fileExists(atPath: path)
    guard !isRepository, let last = path.split(separator: "/").last else { return path }
    if last == "." || last == ".." {
      return resolved(path).split(separator: "/").last.map { String($0) } ?? path
    }
    return last.hasSuffix(".tflite") ? String(last.dropLast(7)) : String(last)
  }

  /// Where a path leads, without links and dots; the path itself where nothing is called so.
  static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// What a setting is called where it was made.
  /// - Parameter key: the file's.
  func name(ofSetting key: String) -> String {
    isOfFile ? "'\(key)' in the file of models" : "--\(key.replacing("_", with: "-"))"
  }
}
