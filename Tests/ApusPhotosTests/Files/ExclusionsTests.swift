import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Patterns mean what they mean in `.gitignore`, whose documentation the cases follow.
@Suite struct ExclusionsTests {
  @Test(arguments: [
    ("node_modules", "node_modules", true), ("node_modules", "a/b/node_modules", true),
    ("node_modules", "a/node_modules/b/c.jpg", true), ("node_modules", "node_modules2", false),
    ("*.tmp.jpg", "a/x.tmp.jpg", true), ("*.tmp.jpg", "a/x.jpg", false), ("*", "é", true), ("?", "é", true),
    ("?", "ab", false), ("*?", "", false), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYcZ", false),
    ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true), ("[!a-c]x", "ax", false),
    ("[]]", "]", true), ("[a-]", "-", true), ("[é-ü]", "ö", true), ("*[!é]", "é", false), (#"\*"#, "*", true),
    (#"\*"#, "a", false), (#"\!a"#, "!a", true), ("#recycle", "#recycle", true),
    ("/raw", "raw", true), ("/raw", "a/raw", false), ("2019/raw", "2019/raw/x.jpg", true),
    ("2019/raw", "a/2019/raw", false), ("*/raw", "a/raw", true), ("*/raw", "a/b/raw", false),
    ("**/raw", "raw", true), ("**/raw", "a/b/raw", true), ("a/**/b", "a/b", true),
    ("a/**/b", "a/x/y/b", true),
    ("a/**/b", "x/a/b", false), ("a/**", "a", false), ("a/**", "a/b", true),
    ("a/**/b/**/c", "a/b/x/b/y/c", true),
    ("**/x/y", "x/x/y", true), ("A", "a", false), ("[[:upper:]]*", "Raw", true),
    ("[[:upper:]]*", "raw", false),
    ("[![:upper:][:digit:]_]", "a", true), ("[![:upper:][:digit:]_]", "7", false),
    ("[[:alpha:]-]", "-", true),
    ("[[:alpha:]]", "é", false), ("[[:]", ":", true), ("[[:punct:]]", "]", true),
    ("x[[:space:]]y", "x y", true),
  ])
  func aPatternMatchesOrNot(_ pattern: String, _ path: String, _ isExcluded: Bool) throws {
    #expect(try Exclusions([pattern]).excludes(path) == isExcluded)
  }

  @Test func aSlashAtTheEndIsForFolders() throws {
    let exclusions = try Exclusions(["raw/"])
    #expect(exclusions.excludes("a/raw", isFolder: true))
    #expect(!exclusions.excludes("a/raw"))
    #expect(exclusions.excludes("a/raw/b.jpg"))
    #expect(!(try Exclusions(["2019/raw/"])).excludes("x/2019/raw", isFolder: true))
  }

  @Test func theLastThatMatchesDecides() throws {
    let exclusions = try Exclusions([".*", "!.private", ".private/x"])
    #expect(exclusions.excludes(".cache/a.jpg"))
    #expect(!exclusions.excludes(".private/a.jpg"))
    #expect(exclusions.excludes(".private/x"))
    #expect(exclusions.excludes(".cache/.private/a.jpg"), "a folder that is left out is not looked into")
  }

  @Test(arguments: [
    ".thumbnails/a.png", "x/.git", "@eaDir/a.jpg/b.jpg", ".Trash-1000/a.jpg", "a/lost+found", "a/._b.jpg",
    "Old.photoslibrary/resources/a.jpg", "x/y/Old.photoslibrary/Thumbnails",
  ])
  func whatIsLeftOutByDefault(_ path: String) throws {
    #expect(try Exclusions().excludes(path))
    #expect(!(try Exclusions([])).excludes(path))
  }

  @Test(arguments: ["Old.photoslibrary/originals/a.jpg", "a.b/c.d.jpg", "resources/a.jpg"])
  func whatIsNot(_ path: String) throws { #expect(!(try Exclusions()).excludes(path)) }

  @Test func namesThatAreNoUTF8() throws {
    let name = FileName.text([0x61, 0xE9, 0x62])
    #expect(try Exclusions(["a?b"]).excludes(name))
    #expect(try Exclusions([name]).excludes(name))
    #expect(!(try Exclusions([name])).excludes("aéb"))
    #expect(try Exclusions(["a[!é]b"]).excludes(name))
  }

  /// It is a character of names as any other, at the end of a pattern and before a line feed too.
  @Test func carriageReturns() throws {
    #expect(try Exclusions(["raw\r"]).excludes("raw\r") && !(try Exclusions(["raw\r"])).excludes("raw"))
    #expect(try Exclusions(["a\r/b"]).excludes("a\r/b") && !(try Exclusions(["raw"])).excludes("raw\r"))
    #expect(try Exclusions(["a?\n"]).excludes("a\r\n") && !(try Exclusions(["a?"])).excludes("a\r\n"))
  }

  @Test(arguments: [
    "", "/", "!", "a//b", "a/../b", "./a", "[a", "[b-a]", "[[:large:]]", "[[:upper:]", "a\\", "a\u{0}b",
  ])
  func patternsThatMeanNothingAreRefused(_ pattern: String) {
    #expect { try Exclusions([pattern]) } throws: { ($0 as? ApusError)?.kind == .argument }
  }

  /// As a folder has them into which another one goes, whatever that is called.
  @Test(arguments: [
    "a", "a/b c", "[x]*?\\", "!a", "**", "e\u{301}\n", "a\r\n", FileName.text([0xFF, 0x2F, 0x61]),
  ])
  func patternsOfAFolderInAnother(_ folder: String) throws {
    let patterns = ["raw", "/raw", "raw/", "2019/raw", "**/cache/small", "2019/**", "*.jpg", "[a-c]x", "**"]
    let paths = ["raw", "a/raw/x.jpg", "2019/raw", "x/2019/raw", "cache/small", "2019", "2019/a", "bx"]
    for pattern in patterns {
      let moved = Exclusions.patterns([pattern], of: folder)
      #expect(moved.allSatisfy { !$0.utf8.contains(UInt8(ascii: "\n")) })
      let (own, other) = (try Exclusions([pattern]), try Exclusions(moved))
      for path in paths {
        #expect(other.excludes("\(folder)/\(path)") == own.excludes(path), "\(moved) \(path)")
        #expect(!other.excludes("other/\(path)"), "\(moved) \(path)")
      }
    }
    let taken = try Exclusions([".*"] + Exclusions.patterns(["!.private"], of: folder))
    #expect(!taken.excludes("\(folder)/b/.private/x") && taken.excludes(".private"))
  }

  /// Against the definition, which tries every way.
  @Test func theMatcherFindsAMatchWhereThereIsOne() throws {
    var random = SeededRandom()
    func isMatch(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
      switch pattern.first {
      case nil: name.isEmpty
      case UInt8(ascii: "*"):
        (name.startIndex...name.endIndex).contains { isMatch(pattern.dropFirst(), name[$0...]) }
      case UInt8(ascii: "?"): !name.isEmpty && isMatch(pattern.dropFirst(), name.dropFirst())
      case let byte: name.first == byte && isMatch(pattern.dropFirst(), name.dropFirst())
      }
    }
    for _ in 0..<20_000 {
      let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Array("ab*?".utf8).randomElement(using: &random) ?? 0
      }
      let name = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        Array("ab".utf8).randomElement(using: &random) ?? 0
      }
      let compiled = try #require(NamePattern(pattern))
      #expect(
        compiled.matches(name) == isMatch(pattern[...], name[...]),
        "\(String(decoding: pattern, as: UTF8.self)) \(String(decoding: name, as: UTF8.self)) seed \(random.seed)"
      )
    }
  }

  @Test func manyStarsTakeNoTime() throws {
    let name = String(repeating: "a", count: 255)
    #expect(!(try Exclusions([String(repeating: "*a", count: 100) + "b"])).excludes(name))
    let path = Array(repeating: "a", count: 500).joined(separator: "/")
    #expect(
      !(try Exclusions([Array(repeating: "**/a", count: 100).joined(separator: "/") + "/b"])).excludes(path))
  }
}
