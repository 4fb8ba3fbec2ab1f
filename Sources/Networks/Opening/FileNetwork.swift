import Graph
import Models
import TensorCore

/// A network of a file, by the importer of the file's format.
struct FileNetwork: NetworkBody {
  let importer: any GraphImporter

  /// With the extents that the file states, and others for free axes where it cannot be with 1.
  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph {
    do throws(ApusError) {
      return try importer.graph(shapes: [:], values: [:])
    } catch {
      let shapes = FreeExtents(try importer.interface().inputs).shapes
      guard !shapes.isEmpty, try importer.hasOperators() else { throw error }
      for shapes in shapes {
        if let graph = try? importer.graph(shapes: shapes, values: [:]) { return graph }
      }
      throw error
    }
  }

  func inputs() throws(ApusError) -> [TensorDescription] {
    try importer.interface().inputs.map { TensorDescription($0) }
  }

  /// As the graph has them; as the file states them where there is no graph before the elements of inputs are known.
  func outputs() throws(ApusError) -> [TensorDescription] {
    let ports = try importer.interface().outputs
    guard let graph = try? graph(.single) else { return ports.map { TensorDescription($0) } }
    return zip(ports, graph.outputs).map { port, value in
      let type = graph[value].type
      let free = port.type.shape.rank == type.shape.rank ? port.freeAxes : []
      return TensorDescription(port.name, innerName: port.innerName, type, freeAxes: free)
    }
  }

  func runner(path: String, _ options: ModelOptions) -> any NetworkRunning {
    FileRunner(self, path: path, options)
  }
}

extension TensorDescription {
  fileprivate init(_ port: ImportedPort) {
    self.init(port.name, innerName: port.innerName, port.type, freeAxes: port.freeAxes)
  }
}
