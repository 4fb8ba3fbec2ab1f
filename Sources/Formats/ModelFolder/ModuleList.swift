import JSONCoding
import TensorCore

/// The modules of a model of sentence-transformers, as its `modules.json` lists them.
package struct ModuleList: Sendable {
  package struct Module: Sendable {
    /// The last part of the name of a module of the library; the whole name of another.
    package let type: String
    /// Its folder, relative to that of the list; empty for that itself.
    package let path: String
  }

  package let modules: [Module]
  private static let library = "sentence_transformers."

  /// - Throws: ``ApusError`` when the file is no list of types and folders inside the list's own.
  package init(contentsOf file: String) throws(ApusError) {
    let wrong = ApusError(
      .configuration, "is no list of modules with a type and a folder inside the model's", file: file)
    var modules: [Module] = []
    do throws(ApusError) {
      let bytes = try FileBytes.read(file, limit: 1 << 20)
      guard case .array(let list) = try JSONValue.parse(bytes[...]) else { throw wrong }
      for (index, value) in list.enumerated() {
        let module = try ConfigurationReader(value, file: file, path: "[\(index)]")
        let (type, path) = (try module.string("type"), try module.string("path"))
        let parts = FileName.parts(of: path)
        guard path.utf8.first != UInt8(ascii: "/"), !parts.contains("..") else { throw wrong }
        module.passOver([
          KeysWithoutEffect(
            "the module's number and name, and what a caller may pass to it", ["idx", "name", "kwargs"])
        ])
        try module.requireAllRead()
        let name = type.split(separator: ".").last.map(String.init) ?? type
        let folders = parts.filter { $0 != "." && !$0.isEmpty }
        modules.append(
          Module(type: type.hasPrefix(Self.library) ? name : type, path: folders.joined(separator: "/")))
      }
    } catch {
      throw error.inFile(file)
    }
    self.modules = modules
  }
}
