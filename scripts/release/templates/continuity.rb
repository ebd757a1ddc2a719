# typed: false
# frozen_string_literal: true

# Written by `npm run release`; change the template, not this file.
class Continuity < Formula
  desc "Persistent memory for Claude Code: one binary, one SQLite file, local first"
  homepage "{{homepage}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url darwin-arm64}}"
      sha256 "{{sha256 darwin-arm64}}"
    end
    on_intel do
      url "{{url darwin-x64}}"
      sha256 "{{sha256 darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "continuity"
  end

  def caveats
    <<~EOS
      Connect it to Claude Code with:
        continuity install
    EOS
  end

  test do
    assert_equal "{{version}}", shell_output("#{bin}/continuity version").strip
  end
end
