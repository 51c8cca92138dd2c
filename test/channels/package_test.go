package channels

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/check"
)

// releaser is the part of .goreleaser.yaml that the tests need.
type releaser struct {
	NFPMs []map[string]any `yaml:"nfpms"`
}

// The schema comes from the releaser's own module, in the version that the Makefile pins.
func TestReleaserSchema(t *testing.T) {
	makefile := read(t, root, "Makefile")
	_, version, _ := strings.Cut(makefile, "GORELEASER := ")
	version, _, _ = strings.Cut(version, "\n")
	var module struct{ Dir string }
	out := program{t.TempDir(), nil}.must(t, "go", "mod", "download", "-json", "github.com/goreleaser/goreleaser/v2@"+version)
	check.JSON(t, out, &module)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, module.Dir, "www", "docs", "static", "schema.json")))
	check.OK(t, err)
	compiler := jsonschema.NewCompiler()
	check.OK(t, compiler.AddResource("releaser.json", document))
	schema := check.Value(compiler.Compile("releaser.json"))(t)
	var file any
	parse(t, read(t, root, ".goreleaser.yaml"), &file)
	if err := schema.Validate(file); err != nil {
		t.Error(err)
	}
}

// packages builds the packages for this machine's processor like the releaser, and returns their folder.
func packages(t *testing.T) string {
	t.Helper()
	program{root, nil}.must(t, "make", "manuals")
	var file releaser
	parse(t, strings.ReplaceAll(read(t, root, ".goreleaser.yaml"), "{{ .CommitDate }}", "2026-01-02T03:04:05Z"), &file)
	config := file.NFPMs[0]
	config["name"], config["arch"], config["version"] = config["package_name"], "amd64", "9.8.7"
	contents := config["contents"].([]any)
	config["contents"] = append(contents, map[string]any{"src": "bin/convertd", "dst": config["bindir"].(string) + "/convertd"})
	for _, of := range []string{"formats", "bindir", "package_name"} { // keys that only the releaser knows
		delete(config, of)
	}
	text := check.Value(yaml.Marshal(config))(t)
	folder := t.TempDir()
	write(t, string(text), folder, "nfpm.yaml")
	for _, format := range []string{"deb", "rpm", "apk"} {
		program{root, nil}.must(t, filepath.Join("test", "channels", "bin", "nfpm"),
			"package", "--config", filepath.Join(folder, "nfpm.yaml"), "--packager", format, "--target", filepath.Join(folder, "convertd."+format))
	}
	return folder
}

// files returns the machine's files and folders where packages install theirs, and its users and groups, one per line.
func files(t *testing.T) []string {
	t.Helper()
	out := program{"/", nil}.must(t, "sh", "-c", "find /etc /usr /var/lib /srv /opt /home -xdev 2>/dev/null | grep -v -e /var/lib/dpkg/ -e /etc/passwd -e /etc/group -e /etc/shadow -e /etc/gshadow | sort; getent passwd; getent group")
	return strings.Split(out, "\n")
}

// minus returns the lines of a that are not in b.
func minus(a, b []string) (rest []string) {
	in := map[string]bool{}
	for _, line := range b {
		in[line] = true
	}
	for _, line := range a {
		if !in[line] {
			rest = append(rest, line)
		}
	}
	return rest
}

// The Debian package is installed, used, upgraded and removed. Afterwards the machine is as before.
func TestDebianPackage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("installing a package needs root")
	}
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("no dpkg on this machine")
	}
	deb := filepath.Join(packages(t), "convertd.deb")
	here := program{t.TempDir(), nil}
	before := files(t)
	t.Cleanup(func() { here.run(t, "dpkg", "--purge", "convertd") })
	here.must(t, "dpkg", "--install", deb)
	installed := minus(files(t), before)
	for _, want := range []string{
		"/usr/bin/convertd", "/usr/share/man/man1/convertd.1", "/usr/share/bash-completion/completions/convertd",
		"/usr/share/zsh/site-functions/_convertd", "/usr/share/fish/vendor_completions.d/convertd.fish",
		"/usr/lib/systemd/system/convertd.service", "/usr/lib/sysusers.d/convertd.conf", "/etc/convertd.env",
		"/usr/share/doc/convertd/copyright",
	} {
		if len(minus([]string{want}, installed)) > 0 {
			t.Errorf("%s is not installed", want)
		}
	}
	contains(t, here.must(t, "getent", "passwd", "convertd"), "/usr/sbin/nologin")
	contains(t, here.must(t, "sh", "-c", "printf '[1,2]' | /usr/bin/convertd run json_format --indent=0"), "[1,2]")
	contains(t, here.must(t, "sh", "-c", "man --local-file /usr/share/man/man1/convertd.1 | cat"), "CONVERTD(1)")
	contains(t, here.must(t, "bash", "-c", ". /usr/share/bash-completion/completions/convertd && complete -p convertd"), "convertd")
	here.must(t, "systemd-analyze", "verify", "/usr/lib/systemd/system/convertd.service")
	// Changed settings survive an upgrade and a removal, but not a purge.
	write(t, "CONVERTD_LISTEN=127.0.0.1:9\n", "/etc/convertd.env")
	here.must(t, "dpkg", "--install", deb)
	contains(t, read(t, "/etc/convertd.env"), "127.0.0.1:9")
	here.must(t, "dpkg", "--remove", "convertd")
	contains(t, read(t, "/etc/convertd.env"), "127.0.0.1:9")
	here.must(t, "dpkg", "--purge", "convertd")
	after := files(t)
	if left := minus(after, before); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if gone := minus(before, after); len(gone) > 0 {
		t.Errorf("gone: %q", gone)
	}
}

// The contents of the other two formats. The test does not install them.
func TestOtherPackages(t *testing.T) {
	folder := packages(t)
	apk := program{folder, nil}.must(t, "sh", "-c", "tar -tzf convertd.apk 2>/dev/null")
	contains(t, apk, "usr/bin/convertd\n", "usr/share/man/man1/convertd.1\n")
	if strings.Contains(apk, "systemd") {
		t.Error("Alpine has no systemd")
	}
	rpm := program{folder, nil}.must(t, "sh", "-c", "rpm --query --package --list convertd.rpm && rpm --query --package --scripts convertd.rpm")
	contains(t, rpm, "/usr/bin/convertd\n", "/usr/lib/systemd/system/convertd.service\n", "/etc/convertd.env\n", "systemd-sysusers")
}
