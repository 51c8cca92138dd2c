package syntax

import (
	"slices"
	"strings"
)

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
