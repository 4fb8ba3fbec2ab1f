import Apus

extension ServingLimits {
  /// Does work on pictures when there is room for their pixels.
  /// - Throws: what `work` throws.
  func decoding<Value>(_ pictures: [Picture], _ work: () async throws -> Value) async throws -> Value {
    let pixels = pictures.reduce(0) { $0 + ((try? cost(of: $1)) ?? 0) }
    return try await self.pictures.run(pixels, work)
  }

  /// What a picture costs while it waits: the pixels that its header says it has.
  /// - Throws: ``ServingError``: `tooLarge` for more bytes or pixels than a picture may have, `invalid` where its header cannot
  ///   be read.
  func cost(of picture: Picture) throws(ServingError) -> Int {
    if case .pixels(let image) = picture { return image.width * image.height }
    if case .encoded(let file) = picture, file.count > images.fileBytes {
      throw ServingError(
        .tooLarge, "The picture's file has \(file.count) bytes, expected at most \(images.fileBytes).")
    }
    let header: PictureMetadata
    do throws(ApusError) {
      header = try picture.metadata(limits: images)
    } catch {
      throw ServingError(error)
    }
    let (pixels, isOver) = header.width.multipliedReportingOverflow(by: header.height)
    guard !isOver, pixels <= images.pixels else {
      throw ServingError(
        .tooLarge,
        "The picture has \(header.width) x \(header.height) pixels, expected at most \(images.pixels) in all."
      )
    }
    return pixels
  }
}
