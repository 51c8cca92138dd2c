package syntax

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Names assigns shell names to variables. The zero value is ready to use.
type Names struct {
	Used    []string // in order of first use
	Renamed []string // "NAME to API_NAME"
	names   map[string]string
	taken   words.Unique
	used    map[string]bool
}

// Take reserves a name, so that Of doesn't return it for another variable.
func (n *Names) Take(name string) {
	n.allocate()
	n.taken.Take(name)
}

func (n *Names) allocate() {
	if n.names == nil {
		n.names, n.taken, n.used = map[string]string{}, words.Unique{}, map[string]bool{}
	}
}

// Taken reports whether a name is reserved or assigned.
func (n *Names) Taken(name string) bool { return n.taken[name] > 0 }

// Of returns the shell variable for a variable of the source and records its use. v may be nil.
func (n *Names) Of(name string, v *request.Variable) string {
	if known, ok := n.names[name]; ok {
		return known
	}
	n.allocate()
	base := ShellName(name, v)
	unique := n.taken.Separated(base, "_")
	n.names[name] = unique
	n.Use(unique)
	if base == ownPrefix+name {
		n.Renamed = append(n.Renamed, name+" to "+unique)
	}
	return unique
}

// Use records that the user must set a variable.
func (n *Names) Use(name string) {
	n.allocate()
	if !n.used[name] {
		n.used[name] = true
		n.Used = append(n.Used, name)
	}
}

// Given returns the shell variable that Of returned for a name.
func (n *Names) Given(name string) string { return n.names[name] }

// maxShellName limits the length of a generated name.
const maxShellName = 60

// Patterns for the characters that no name contains, and for the start of a camel-case word.
var (
	noLetters  = expression.Lazy(`[^A-Za-z0-9]+`)
	lowerUpper = expression.Lazy(`([a-z0-9])([A-Z])`)
	upperWord  = expression.Lazy(`([A-Z])([A-Z][a-z])`)
)

// ownPrefix is the prefix for names that would otherwise be invalid or could be set in the user's environment.
const ownPrefix = "API_"

// ShellName returns the shell variable for a variable of the source. A shell script's own variables keep their names.
// Other names come from an untrusted document, so a name that may be set in the user's environment gets a prefix.
// Otherwise a document could send AWS_SECRET_ACCESS_KEY to its server. A name that was generated for a secret is
// converted to upper case, like environment variables.
func ShellName(name string, v *request.Variable) string {
	generated := v != nil && v.Invented
	made := name
	if !script.IsName(name) || len(name) > maxShellName || generated {
		if generated {
			made = upperWord().ReplaceAllString(lowerUpper().ReplaceAllString(made, "${1}_${2}"), "${1}_${2}")
			made = strings.ToUpper(made)
		}
		made = strings.TrimLeft(noLetters().ReplaceAllString(made, "_"), "_")
		made = strings.TrimRight(made[:min(len(made), maxShellName)], "_")
	}
	switch {
	case made == "":
		return "VALUE"
	case v != nil && v.Shell:
		return made
	case made[0] >= '0' && made[0] <= '9', isEnvironmentName(made):
		return ownPrefix + made
	}
	return made
}

// isEnvironmentName reports whether a variable of this name may be set in the user's environment, or has a meaning to a
// shell or to curl.
func isEnvironmentName(name string) bool {
	return slices.Contains(environmentNames, name) ||
		slices.ContainsFunc(environmentPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) ||
		!strings.HasPrefix(name, "X_") && !strings.HasPrefix(name, ownPrefix) &&
			slices.ContainsFunc(environmentSuffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// Names that shells, curl, operating systems, cloud providers, CI systems and package managers use. A name that begins
// with X_ comes from a header, and one that begins with ownPrefix has been renamed: no suffix applies to them.
var (
	environmentNames = strings.Fields(`PATH HOME IFS PWD OLDPWD SHELL USER USERNAME UID EUID PPID ENV PS1 PS2 PS4 LANG
		LANGUAGE TERM OPTARG OPTIND LINENO RANDOM SECONDS HOST HOSTNAME LOGNAME MAIL TMPDIR TEMP TMP GROUPS STATUS path
		status CDPATH DISPLAY EDITOR VISUAL PAGER BROWSER DATABASE_URL KUBECONFIG SSLKEYLOGFILE NO_PROXY HTTP_PROXY
		HTTPS_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy CI`)
	environmentPrefixes = strings.Fields(`ACTIONS_ ANSIBLE_ ANTHROPIC_ ARM_ AWS_ AZURE_ BASH_ BITBUCKET_ BUILDKITE_ CARGO_ CF_
		CI_ CIRCLE_ CLOUDFLARE_ CLOUDSDK_ CODECOV_ CONSUL_ CURL_ DATADOG_ DATABRICKS_ DD_ DIGITALOCEAN_ DOCKER_ DYLD_ FLY_
		GCLOUD_ GCP_ GEMINI_ GH_ GIT_ GITHUB_ GITLAB_ GNUPG GOOGLE_ GPG_ HEROKU_ HF_ HUGGINGFACE_ JAVA_ JENKINS_ JIRA_ KUBE_
		KUBERNETES_ LC_ LD_ MAVEN_ MONGO MYSQL_ NETLIFY_ NODE_ NOMAD_ NPM_ OPENAI_ OPENSSL_ OP_SESSION PG PIP_ PULUMI_
		PYPI_ PYTHON REDIS_ RUNNER_ SENDGRID_ SENTRY_ SLACK_ SNYK_ SONAR_ SSH_ SSL_ STRIPE_ SUDO_ SYSTEM_ TF_ TRAVIS_ TWILIO_
		TWINE_ UV_ VAULT_ VERCEL_ XDG_ ZSH_`)
	environmentSuffixes = strings.Fields(`_TOKEN _SECRET _PASSWORD _PASSPHRASE _API_KEY _ACCESS_KEY _SECRET_KEY _PRIVATE_KEY
		_CREDENTIALS _PAT _DSN`)
)
