package sdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCSharp generates the C# client by the README's command and reads it: no
// package registry that this project builds from has a compiler for it. What
// is read is what went wrong with other forms of the description: a union
// that is written as an empty object, enums without a name, a number sent as
// text.
func TestCSharp(t *testing.T) {
	const generator = "java/lib/.installed"
	if _, err := os.Stat(generator); err != nil {
		t.Fatalf("test/sdk/%s is not there: run make setup", generator)
	}
	path, err := filepath.Abs("java")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	command := exec.Command("sh", "-c", csharpCommand(t, serve(t, "--rate-limit=0")))
	command.Dir = folder
	command.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	source := filepath.Join(folder, "client", "src", "Convertd.Client")
	holds := func(file string, patterns ...string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range patterns {
			if !regexp.MustCompile(pattern).Match(text) {
				t.Errorf("%s does not hold %s", file, pattern)
			}
		}
	}
	holds("Api/ToolsApi.cs", `JwtDecodeResult JwtDecode\(JwtDecodeRequest `, `JsonFormatResult JsonFormat\(JsonFormatRequest `,
		`JsonToYamlResult JsonToYaml\(JsonToYamlRequest `, `TimestampToIsoResult TimestampToIso\(`, `ApiConvertResult ApiConvert\(`)
	holds("Api/PipelineApi.cs", `PipelineResult Pipeline\(PipelineRequest `)
	for _, step := range []string{"JwtDecode", "JsonFormat", "JsonToYaml", "TimestampToIso", "ApiConvert"} {
		holds("Model/PipelineStep.cs", `public PipelineStep\(`+step+`Step actualInstance\)`)
		holds("Model/"+step+"Step.cs", `public `+step+`Tool Tool `, `public `+step+`Options Options `)
	}
	holds("Model/PipelineStep.cs", `JsonConvert\.SerializeObject\(this\.ActualInstance,`)
	holds("Model/PipelineVersion.cs", `V1 = 1\b`)
	holds("Model/ProblemCode.cs", `EnumMember\(Value = "duplicate_key"\)`)
	holds("Client/ApiException.cs", `Multimap<string, string> Headers`, `object ErrorContent`)
	models, err := os.ReadDir(filepath.Join(source, "Model"))
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range models {
		if name := model.Name(); strings.Contains(name, "Inline") || regexp.MustCompile(`\d\.cs$`).MatchString(name) {
			t.Errorf("%s has no name in the description", name)
		}
	}
}

// csharpCommand is the README's command for C#, at a service's address.
func csharpCommand(t *testing.T, url string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, behind, _ := strings.Cut(string(text), "**C#**")
	_, behind, _ = strings.Cut(behind, "```sh\n")
	command, _, found := strings.Cut(behind, "\n```")
	if !found || !strings.Contains(command, " -g csharp ") {
		t.Fatal("the README has no command for C#")
	}
	return strings.ReplaceAll(command, "http://127.0.0.1:8080", url)
}
