package channels

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestBundle packs the bundle, which validates its manifest, unpacks it like a client, and starts it as its manifest
// says. The manifest must list exactly the tools that the server has.
func TestBundle(t *testing.T) {
	binary := check.Value(daemon.Build(t.TempDir()))(t)
	version := "9.8.7"
	program{root, nil}.must(t, filepath.Join("deploy", "mcpb", "pack.sh"), binary, "linux", "amd64", version)
	folder := t.TempDir()
	packer := filepath.Join(root, "test", "channels", "node_modules", ".bin", "mcpb")
	program{root, nil}.must(t, packer, "unpack", filepath.Join("bin", "convertd_"+version+"_linux_amd64.mcpb"), folder)
	program{root, nil}.must(t, packer, "validate", filepath.Join(folder, "manifest.json"))
	var manifest struct {
		Version string
		Server  struct {
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
		Tools         []struct{ Name string }
		Compatibility struct{ Platforms []string }
	}
	check.JSON(t, read(t, folder, "manifest.json"), &manifest)
	if manifest.Version != version || !slices.Equal(manifest.Compatibility.Platforms, []string{"linux"}) {
		t.Errorf("got %+v", manifest)
	}
	command := filepath.Join(folder, manifest.Server.EntryPoint)
	if manifest.Server.Config.Command != "${__dirname}/"+manifest.Server.EntryPoint {
		t.Errorf("command %q is not the entry point %q", manifest.Server.Config.Command, manifest.Server.EntryPoint)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "desktop", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(command, manifest.Server.Config.Args...)}, nil)
	check.OK(t, err)
	defer session.Close()
	listed := check.Value(session.ListTools(t.Context(), nil))(t)
	var has, names []string
	for _, tool := range listed.Tools {
		has = append(has, tool.Name)
	}
	for _, tool := range manifest.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(has)
	slices.Sort(names)
	if !slices.Equal(has, names) {
		t.Errorf("the manifest lists the tools %q, the server has %q", names, has)
	}
}
