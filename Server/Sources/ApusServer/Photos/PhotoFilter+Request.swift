import Apus
import ApusPhotos
import ApusServing

extension PhotoFilter {
  /// Folders of one request, at most.
  private static let most = 64

  /// Filters as `apus photos search` takes them.
  /// - Parameter folders: paths from `/`: a client does not know where the server was started.
  init(
    since: String?, until: String?, folders: [String], camera: String?, near: String?
  ) throws(RequestFault) {
    guard folders.count <= Self.most else {
      throw RequestFault(.tooLarge, "'in' has more than \(Self.most) folders.", field: "in")
    }
    if let folder = folders.first(where: { !$0.hasPrefix("/") || $0.utf8.contains(0) }) {
      throw RequestFault.unexpected(.text(folder), "in", expected: "the path of a folder, from /")
    }
    self.init(folders: folders, camera: camera)
    followsLinks = folders.isEmpty
    self.since = try Self.part(since, "since", PhotoDate.init(_:))
    self.until = try Self.part(until, "until", PhotoDate.init(_:))
    self.near = try Self.part(near, "near", Circle.init(_:))
  }

  private static func part<Part>(
    _ text: String?, _ name: String, _ read: (String) throws(ApusError) -> Part
  ) throws(RequestFault) -> Part? {
    guard let text else { return nil }
    do throws(ApusError) {
      return try read(text)
    } catch {
      throw RequestFault.unexpected(.text(text), name, expected: error.expected ?? "another text")
    }
  }

  /// What an error of a search means, by the field that it is about.
  func reason(of error: ApusError) -> any Error {
    guard error.kind == .argument, let folder = error.file, folders.contains(folder) else { return error }
    let fault = RequestFault.unexpected(.text(folder), "in", expected: "a folder of the index")
    return ServingError(.invalid, fault.message)
  }
}
