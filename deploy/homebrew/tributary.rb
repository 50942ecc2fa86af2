# A formula of Homebrew, which builds the workspace on a Mac. Put it into a tap of your own with the address of the repository:
#   brew tap-new you/tap && cp deploy/homebrew/tributary.rb "$(brew --repository you/tap)/Formula/"
#   brew install --HEAD you/tap/tributary && brew services start tributary
# It was written without a Mac and never ran.
class Tributary < Formula
  desc "Server that collects, filters and forwards analytics events"
  homepage "ADDRESS-OF-THE-REPOSITORY"
  license "Apache-2.0"
  head "ADDRESS-OF-THE-REPOSITORY", using: :git, branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sonoma

  def install
    # Homebrew has a sandbox of its own, and sandboxes do not nest.
    system "swift", "build", "--disable-sandbox", "--package-path", "Workspace", "--configuration", "release",
           "--product", "tributary"
    bin.install "Workspace/.build/release/tributary"
    system "python3", "scripts/support/man_pages.py", bin/"tributary", "man"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"tributary", "--generate-completion-script")
    doc.install "NOTICE"
  end

  service do
    run [opt_bin/"tributary", "serve"]
    environment_variables TRIBUTARY_DATA: var/"tributary"
    keep_alive successful_exit: false
    log_path var/"log/tributary.log"
    error_log_path var/"log/tributary.log"
  end

  def caveats
    "The log #{var}/log/tributary.log has the write key and, after the first start, the admin token."
  end

  test do
    port = free_port
    server = spawn bin/"tributary", "serve", "--data", testpath/"data", "--port", port.to_s
    system "curl", "--retry", "30", "--retry-connrefused", "--fail", "http://127.0.0.1:#{port}/health"
  ensure
    Process.kill "TERM", server
    Process.wait server
  end
end
