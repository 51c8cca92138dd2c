package sdk

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// example is the page's code for one client.
type example struct {
	generate string // the shell command that generates it, "" for Go's
	language string // of the code, as the fence names it
	code     string
}

// examples reads the code blocks of docs/clients.md, each after the command that generates what it uses.
func examples(t *testing.T) []example {
	t.Helper()
	text := check.File(t, "../../docs/clients.md")
	var list []example
	command := ""
	for _, block := range regexp.MustCompile("(?s)```([a-z]+)\n(.*?)\n```").FindAllStringSubmatch(text, -1) {
		if block[1] == "sh" {
			command = block[2]
			continue
		}
		list = append(list, example{command, block[1], block[2]})
		command = ""
	}
	return list
}

// at returns the example for the service at url.
func (e example) at(url string) example {
	const shown = "http://127.0.0.1:8080"
	return example{strings.ReplaceAll(e.generate, shown, url), e.language, strings.ReplaceAll(e.code, shown, url)}
}

// refused returns the example's code with an input that the service rejects.
func (e example) refused(t *testing.T) string {
	t.Helper()
	for _, escaped := range [][2]string{{`{"a":"no"}`, `{"a":1,"a":2}`}, {`{\"a\":\"no\"}`, `{\"a\":1,\"a\":2}`}} {
		if strings.Contains(e.code, escaped[0]) {
			return strings.ReplaceAll(e.code, escaped[0], escaped[1])
		}
	}
	t.Fatalf("the example in %s of docs/clients.md does not convert {\"a\":\"no\"}:\n%s", e.language, e.code)
	return ""
}

// write writes the files of the example that run.sh needs into a folder.
func (e example) write(t *testing.T, folder string) {
	t.Helper()
	files := map[string]string{"generate.sh": e.generate}
	for name, code := range map[string]string{"readme": e.code, "refused": e.refused(t)} {
		switch e.language {
		case "ts":
			files[name+".ts"] = code
		case "python":
			files[name+".py"] = code
		case "java":
			files[name+".java"] = javaProgram(name, code)
		case "kotlin":
			files[name+".kt"] = kotlinProgram(name, code)
		case "csharp":
			files[name+".cs"] = csharpProgram(name, code)
		case "rust":
			files[name+".rs"] = rustProgram(code)
		}
	}
	for name, text := range files {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o600))
	}
}

// javaProgram returns a class with the imports and statements.
func javaProgram(class, code string) string {
	imports, statements, _ := strings.Cut(code, "\n\n")
	return imports + "\nfinal class " + class + " {\n  public static void main(String[] args) throws Exception {\n" + statements + "\n  }\n}"
}

// kotlinProgram returns a program in a separate package.
func kotlinProgram(name, code string) string {
	imports, statements, _ := strings.Cut(code, "\n\n")
	return "@file:JvmName(\"Main\")\n\npackage " + name + "\n\n" + imports + "\n\nfun main() {\n" + statements + "\n}"
}

// csharpProgram returns a class with the usings and statements.
func csharpProgram(class, code string) string {
	usings, statements, _ := strings.Cut(code, "\n\n")
	return usings + "\npublic static class " + class + "\n{\npublic static void Main()\n{\n" + statements + "\n}\n}"
}

// rustProgram returns a program with the uses and statements.
func rustProgram(code string) string {
	uses, statements, _ := strings.Cut(code, "\n\n")
	return uses + "\n\n#[tokio::main(flavor = \"current_thread\")]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {\n" + statements + "\nOk(())\n}"
}

// TestReadmeGo compiles, vets and runs the page's Go code. TestSDK runs that of
// the other languages, with the clients generated there.
func TestReadmeGo(t *testing.T) {
	e := examples(t)[0].at(serve(t, "--rate-limit=0"))
	if e.language != "go" {
		t.Fatalf("the page's first example is in %q", e.language)
	}
	for _, test := range []struct{ code, says string }{
		{e.code, "a: \"no\"\n"},
		{e.refused(t), "An object has two members with the same name, the first at line 1, column "},
	} {
		// Inside the module, for its imports; the underscore hides it from ./...
		folder := check.Value(os.MkdirTemp(".", "_readme"))(t)
		t.Cleanup(func() { os.RemoveAll(folder) })
		program := "package main\n\nimport (\n\"context\"\n\"errors\"\n\"fmt\"\n\n\"github.com/convertd/convertd/gen/client\"\n)\n\n" +
			"func example(ctx context.Context) error {\n" + test.code + "\nreturn nil\n}\n\n" +
			"func main() {\nif err := example(context.Background()); err != nil {\nfmt.Print(err)\n}\n}\n"
		check.OK(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600))
		for _, command := range []string{"vet", "run"} {
			var stdout, stderr bytes.Buffer
			run := exec.Command("go", command, "./"+folder)
			run.Stdout, run.Stderr = &stdout, &stderr
			if err := run.Run(); err != nil || command == "run" && !strings.HasPrefix(stdout.String(), test.says) {
				t.Errorf("go %s: %v\n%s%s", command, err, stdout.String(), stderr.String())
			}
		}
	}
}

// TestSettings checks that the page has a row for each tested client, with its settings.
func TestSettings(t *testing.T) {
	page := check.File(t, "../../docs/clients.md")
	var rows []string
	for line := range strings.Lines(page) {
		if strings.Contains(line, "*tested*") && strings.HasPrefix(line, "|") {
			rows = append(rows, line)
		}
	}
	for _, name := range others {
		generator := "openapi-generator `" + name + "`"
		switch name {
		case "swagger-typescript-api":
			generator = name
		case "swagger-codegen-java":
			generator = "swagger-codegen 3 `java`"
		}
		if !slices.ContainsFunc(rows, func(row string) bool { return strings.HasPrefix(row, "| "+generator+",") }) {
			t.Errorf("docs/clients.md has no row for %s", generator)
		}
	}
	commands := check.File(t, "pipeline/run.sh")
	_, generators, _ := strings.Cut(page, "\n## Generators\n")
	for _, row := range rows {
		cells := strings.Split(row, "|")
		for _, setting := range regexp.MustCompile("`([^`]*=[^`]*)`").FindAllStringSubmatch(cells[2], -1) {
			if !strings.Contains(commands+generators, setting[1]) {
				t.Errorf("no test uses %s of the row %s", setting[1], row)
			}
		}
	}
}
