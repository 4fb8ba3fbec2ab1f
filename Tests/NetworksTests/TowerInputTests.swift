import Graph
import Models
import Networks
import TensorCore
import Testing

struct TowerInputTests {
  /// Takes pictures as high and as wide as they have channels.
  private struct CubeTower: ImageTower {
    let imageSize = ImageSize(height: 3, width: 3)
    let channels = 3
    let outputWidth = 1

    func graph(batch: Int) throws(ApusError) -> Graph { GraphBuilder().graph }
  }

  @Test func channelsComeFirstWhereBothOrdersFit() throws {
    let tensor = try Tensor((0..<27).map { Float($0) }, shape: [1, 3, 3, 3])
    let pixels = try TowerInputs.pixels(tensor, for: CubeTower()).elements(of: Float.self)
    #expect(pixels.prefix(4) == [0, 9, 18, 1])
  }
}
