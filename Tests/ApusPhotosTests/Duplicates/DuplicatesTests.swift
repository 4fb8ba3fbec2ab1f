import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Groups of pictures, and the laws that hold for them.
@Suite struct DuplicatesTests {
  private func picture(
    _ content: Int64, _ width: Int = 400, _ height: Int = 300, bytes: Int = 1000, hash: UInt64? = 0,
    takenAt: Int64? = nil, paths: [String]? = nil
  ) -> ComparedPicture {
    let paths = paths ?? ["\(content).jpg"]
    return ComparedPicture(
      content: content,
      files: paths.enumerated().map {
        ComparedPicture.File(path: $1, device: 1, inode: Int(content) * 100 + $0, modified: 0)
      }, width: width, height: height, byteCount: bytes, hash: hash, takenAt: takenAt)
  }

  private func same(
    _ pictures: [ComparedPicture], cosine: (Int64, Int64) throws(ApusError) -> Float? = { _, _ in 1 }
  ) throws -> [[Int64]] {
    try Duplicates.samePicture(pictures, DuplicateLimits(), cosine: cosine).map { $0.members.map(\.content) }
  }

  @Test func filesWithTheSameBytes() throws {
    let file = { (path: String, inode: Int, modified: Int) in
      ComparedPicture.File(path: path, device: 1, inode: inode, modified: modified)
    }
    let one = ComparedPicture(
      content: 1, files: [file("b", 1, 20), file("link", 1, 20), file("a", 2, 30), file("c", 3, 10)],
      width: 1,
      height: 1, byteCount: 5, hash: nil, takenAt: nil)
    let linked = ComparedPicture(
      content: 2, files: [file("x", 4, 0), file("y", 4, 0)], width: 9, height: 9, byteCount: 5, hash: 1,
      takenAt: nil)
    let groups = Duplicates.sameBytes([one, linked, picture(3)])
    #expect(groups.map(\.level) == [.sameBytes])
    #expect(groups.first?.members.map(\.paths) == [["c"], ["b", "link"], ["a"]])
    #expect(groups.first?.members.allSatisfy { $0.content == 1 && $0.cosine == 1 } == true)
  }

  /// A picture of several files is a group though no other is near it, whether it has a hash or not; links are one file.
  @Test func copiesAreTheSamePicture() throws {
    let linked = ComparedPicture(
      content: 3,
      files: ["x", "y"].map { ComparedPicture.File(path: $0, device: 1, inode: 7, modified: 0) },
      width: 700, height: 500, byteCount: 5, hash: 0xFF00, takenAt: nil)
    let pictures = [
      picture(1, paths: ["a", "b"]), picture(2, 900, 300, hash: nil, paths: ["c", "d", "e"]), linked,
      picture(4, 100, 900, hash: 0xFFFF_0000), picture(5, 800, 600, hash: 0xFF_FF00_0000),
      picture(6, hash: 0xFF_FF00_0000, paths: ["f", "g"]),
    ]
    let groups = try Duplicates.samePicture(pictures, DuplicateLimits()) { _, _ in 1 }
    #expect(groups.map { $0.members.map(\.content) } == [[5, 6], [2], [1]])
    #expect(groups.map(\.others) == [["f", "g"], ["d", "e"], ["b"]])
    #expect(groups.allSatisfy { $0.level == .samePicture && $0.members[0].cosine == 1 })
    #expect(Duplicates.alike(pictures, pairs: [], atLeast: 0.9, besides: groups).isEmpty)
  }

  /// Of a group, one file is not named: neither it nor a link to it.
  @Test func othersAreAllFilesButTheBest() throws {
    let file = { (path: String, inode: Int, modified: Int) in
      ComparedPicture.File(path: path, device: 1, inode: inode, modified: modified)
    }
    let best = ComparedPicture(
      content: 1, files: [file("copy", 1, 20), file("best", 2, 10), file("link", 2, 10)], width: 800,
      height: 600, byteCount: 5, hash: 0, takenAt: nil)
    let smaller = picture(2, paths: ["small", "small-copy"])
    let groups = try Duplicates.samePicture([best, smaller], DuplicateLimits()) { _, _ in 1 }
    let group = try #require(groups.first)
    #expect(group.members.map(\.files) == [[["best", "link"], ["copy"]], [["small"], ["small-copy"]]])
    #expect(group.members.map(\.paths) == [["best", "link", "copy"], ["small", "small-copy"]])
    #expect(group.others == ["copy", "small", "small-copy"])
    let bytes = try #require(Duplicates.sameBytes([best]).first)
    #expect(bytes.others == ["copy"])
  }

  @Test func theSamePictureIsWithinAllThreeLimits() throws {
    let first = picture(1, 4000, 3000)
    #expect(try same([first, picture(2, 400, 300, hash: 0b1111)]) == [[1, 2]])
    #expect(try same([first, picture(2, 400, 300, hash: 0b1_1111)]) == [])
    #expect(try same([first, picture(2, 400, 302)]) == [[1, 2]])
    #expect(try same([first, picture(2, 400, 304)]) == [])
    #expect(try same([first, picture(2, 300, 400)]) == [])
    #expect(try same([first, picture(2, 4000, 3000)]) { _, _ in 0.98 } == [[1, 2]])
    #expect(try same([first, picture(2, 4000, 3000)]) { _, _ in 0.979 } == [])
    #expect(try same([first, picture(2)]) { _, _ in nil } == [])
    #expect(try same([first, picture(2)]) { _, _ in .nan } == [])
    #expect(try same([first, picture(2, hash: nil)]) == [])
    #expect(try same([picture(1, 0, 0), picture(2, 0, 0)]) == [])
    #expect(try same([picture(1, .max, .max), picture(2, .max, .max)]) == [[1, 2]])
  }

  /// An embedding tells less of a small copy, so that its hash may stand for more; not of frames, which are of one size.
  @Test(
    arguments: [
      (2000, 1500, 0b11, 0.85, true), (2000, 1500, 0b11, 0.849, false), (2000, 1500, 0b111, 0.979, false),
      (2000, 1500, 0b111, 0.98, true), (2001, 1500, 0, 0.979, false), (2000, 1501, 0, 0.979, false),
      (4000, 3000, 0, 0.979, false), (200, 150, 0, 0.85, true),
    ] as [(Int, Int, UInt64, Float, Bool)])
  func aSmallCopyMayBeFurtherAway(
    _ width: Int, _ height: Int, _ hash: UInt64, _ cosine: Float, _ isSame: Bool
  ) throws {
    let pictures = [picture(1, 4000, 3000), picture(2, width, height, hash: hash)]
    #expect(try same(pictures) { _, _ in cosine } == (isSame ? [[1, 2]] : []))
  }

  /// A picture of any size, made smaller by any factor and rounded to whole pixels in any way, keeps its aspect.
  @Test func roundingDoesNotChangeTheAspect() {
    var random = SeededRandom()
    for _ in 0..<10_000 {
      let (width, height) = (
        Int.random(in: 20...6000, using: &random), Int.random(in: 20...6000, using: &random)
      )
      let scale = Double.random(in: 16 / Double(min(width, height))...1, using: &random)
      let rule =
        [FloatingPointRoundingRule.down, .up, .toNearestOrEven].randomElement(using: &random) ?? .down
      // The long side is what people ask for; the other follows from it.
      let long = (Double(max(width, height)) * scale).rounded(rule)
      let short = (long * Double(min(width, height)) / Double(max(width, height))).rounded(rule)
      let (across, down) = width > height ? (long, short) : (short, long)
      let (whole, reduced) = (picture(1, width, height), picture(2, Int(across), Int(down)))
      #expect(whole.hasAspect(of: reduced) && reduced.hasAspect(of: whole), "\(width) x \(height), \(scale)")
    }
    for _ in 0..<10_000 {
      let sides = (0..<4).map { _ in Int.random(in: 1...40, using: &random) }
      let (one, other) = (picture(1, sides[0], sides[1]), picture(2, sides[2], sides[3]))
      #expect(one.hasAspect(of: other) == other.hasAspect(of: one), "\(sides)")
    }
    #expect(picture(1, 200, 150).hasAspect(of: picture(2, 50, 38)))
    #expect(!picture(1, 200, 150).hasAspect(of: picture(2, 50, 40)))
    #expect(!picture(1, 200, 150).hasAspect(of: picture(2, 38, 50)))
  }

  @Test func theBestIsFirst() throws {
    let pictures = [
      picture(1, 400, 300), picture(2, 800, 600, bytes: 10), picture(3, 800, 600, bytes: 20, takenAt: 9),
      picture(4, 800, 600, bytes: 20, takenAt: 8),
      picture(5, 800, 600, bytes: 20, takenAt: 9, paths: ["0", "z"]),
      picture(6, 800, 600, bytes: 20),
    ]
    #expect(try same(pictures) == [[4, 5, 3, 6, 2, 1]])
    let group = try #require(try Duplicates.samePicture(pictures, DuplicateLimits()) { _, _ in 0.99 }.first)
    #expect(group.members.map(\.cosine) == [1, 0.99, 0.99, 0.99, 0.99, 0.99])
    #expect(group.members.map(\.differentBits) == [0, 0, 0, 0, 0, 0])
    #expect(group.members[1].paths == ["0", "z"])
  }

  /// Frames of a film: each is like the next, and the last is nothing like the first.
  @Test func aChainIsNotOneGroup() throws {
    let frames = (0..<60).map { (frame: Int64) in
      let hash: UInt64 = (1 << UInt64(frame)) - 1
      return picture(frame, hash: hash, takenAt: frame)
    }
    let groups = try Duplicates.samePicture(frames, DuplicateLimits()) { 1 - 0.002 * Float(abs($0 - $1)) }
    #expect(groups.map { $0.members.count } == Array(repeating: 5, count: 12))
    #expect(groups.allSatisfy { group in group.members.allSatisfy { ($0.differentBits ?? 99) <= 4 } })
  }

  @Test func aPictureJoinsTheNearestOfSeveral() throws {
    let pictures = [picture(1, 800, 600, hash: 0), picture(2, 800, 600, hash: 0xFF), picture(3, hash: 0xF)]
    let cosines: [Int64: Float] = [1: 0.985, 2: 0.995]
    #expect(try same(pictures) { first, second in second == 3 ? cosines[first] : 0.5 } == [[2, 3]])
  }

  @Test func anErrorOfTheCosinesIsHandedOn() {
    #expect(throws: ApusError(.file, "gone")) {
      try same([picture(1), picture(2)]) { _, _ throws(ApusError) in throw ApusError(.file, "gone") }
    }
  }

  @Test func limitsThatMeanNothingAreRefused() {
    let isRefused = { (error: any Error) in (error as? ApusError)?.kind == .argument }
    for bits in [-1, 17] {
      #expect { try DuplicateLimits(differentBits: bits) } throws: { isRefused($0) }
    }
    for cosine in [0, 1.01, .nan] as [Float] {
      #expect { try DuplicateLimits(cosine: cosine) } throws: { isRefused($0) }
      #expect { try DuplicateLimits(cosineOfReduced: cosine) } throws: { isRefused($0) }
    }
  }

  @Test func alikeByTheirCosinesOnly() {
    let pictures = [
      picture(1, 800, 600), picture(2, 100, 900, hash: nil), picture(3), picture(4), picture(5, 900, 900),
    ]
    let pairs: [(Int64, Int64, cosine: Float)] = [
      (2, 1, 0.85), (1, 2, 0.93), (3, 2, 0.95), (1, 3, 0.9), (4, 1, 0.91), (4, 4, 1), (4, 99, 1),
      (5, 3, .nan),
    ]
    let groups = Duplicates.alike(pictures, pairs: pairs, atLeast: 0.9)
    #expect(groups.map { $0.members.map(\.content) } == [[1, 3, 4, 2]])
    #expect(groups.first?.members.map(\.cosine) == [1, 0.9, 0.91, 0.93])
    #expect(groups.first?.members.last?.differentBits == nil)
    let same = [DuplicateGroup(level: .samePicture, members: Array(groups[0].members.prefix(2)))]
    let apart = Duplicates.alike(pictures, pairs: pairs, atLeast: 0.9, besides: same)
    #expect(apart.map { $0.members.map(\.content) } == [[1, 4, 2]])
  }

  /// Pictures at random, around a few: whatever their order, the groups are the same, and each is what it says.
  @Test func lawsOfGroups() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let centres = (0..<12).map { _ in (hash: random.next(), value: Float.random(in: 0...1, using: &random))
      }
      var values: [Int64: Float] = [:]
      let pictures = (0..<300).map { content -> ComparedPicture in
        let centre = centres.randomElement(using: &random) ?? (0, 0)
        let flips = Int.random(in: 0...6, using: &random)
        let hash = (0..<flips).reduce(centre.hash) { hash, _ in
          hash ^ 1 << UInt64.random(in: 0..<64, using: &random)
        }
        values[Int64(content)] = centre.value + Float.random(in: -0.02...0.02, using: &random)
        let scale = Int.random(in: 1...4, using: &random)
        return picture(
          Int64(content), 400 * scale, (300 + Int.random(in: 0...4, using: &random)) * scale,
          bytes: Int.random(in: 0...2, using: &random), hash: hash,
          takenAt: Bool.random(using: &random) ? Int64.random(in: 0...3, using: &random) : nil)
      }
      func cosine(_ first: Int64, _ second: Int64) -> Float {
        1 - abs((values[first] ?? 0) - (values[second] ?? 9))
      }
      let limits = try DuplicateLimits()
      let groups = try Duplicates.samePicture(pictures, limits, cosine: cosine)
      #expect(try Duplicates.samePicture(pictures.shuffled(using: &random), limits, cosine: cosine) == groups)

      let byContent = Dictionary(uniqueKeysWithValues: pictures.map { ($0.content, $0) })
      func areNear(_ first: Int64, _ second: Int64) -> Bool {
        guard let one = byContent[first], let other = byContent[second] else { return false }
        return (one.differentBits(from: other) ?? 99) <= limits.differentBits && one.hasAspect(of: other)
          && cosine(first, second) >= limits.leastCosine(of: one, and: other)
      }
      let grouped = groups.flatMap { $0.members.map(\.content) }
      #expect(Set(grouped).count == grouped.count && groups.count > 5, "seed \(seed)")
      for group in groups {
        #expect(group.members.count > 1)
        let contents = group.members.map(\.content)
        #expect(contents.dropFirst().allSatisfy { areNear(contents[0], $0) }, "seed \(seed)")
        let members = contents.compactMap { byContent[$0] }
        let ranked = RankedPictures(members.shuffled(using: &random))
        #expect(ranked.indices.map { ranked[$0].content } == contents)
        for member in group.members.dropFirst() {
          #expect(member.cosine == cosine(contents[0], member.content))
          #expect(
            member.differentBits
              == byContent[contents[0]].flatMap { byContent[member.content]?.differentBits(from: $0) })
        }
      }
      // Whatever is first, or alone, is near no other such.
      let joined = Set(groups.flatMap { $0.members.dropFirst().map(\.content) })
      let firsts = pictures.map(\.content).filter { !joined.contains($0) }
      for (index, first) in firsts.enumerated() {
        #expect(!firsts[(index + 1)...].contains { areNear(first, $0) }, "seed \(seed)")
      }
    }
  }
}
