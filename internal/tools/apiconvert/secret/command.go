package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Argument is a word of a command that holds a secret, from an offset in bytes to its end.
type Argument struct {
	Word, From int
	Name       string // a name for the secret
	named      bool   // only the option's name says that it is one
}

// commandRule says which arguments of commands are passwords.
type commandRule struct {
	names    string // the commands
	separate string // options whose argument is the next word
	joined   string // options whose argument follows in the same word
	after    string // the password follows this in the argument; without it, the argument holds none
	needs    string // a word without which the rule doesn't apply
	operand  bool   // the last word is a password
	prefix   bool   // the first operand is another command
}

var commandRules = []commandRule{
	{names: "sshpass", separate: "-p", joined: "-p", prefix: true},
	{names: "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump mariadb-admin 7z 7za 7zr 7zz", joined: "-p"},
	{names: "redis-cli valkey-cli", separate: "-a --pass"},
	{names: "docker podman nerdctl buildah skopeo helm oras crane az oc rancher cf", separate: "-p", needs: "login"},
	{names: "mongo mongosh mongodump mongorestore mongoexport mongoimport", separate: "-p"},
	{names: "htpasswd", needs: "-b", operand: true},
	{names: "vault", needs: "login", operand: true},
	{names: "openssl", separate: "-pass -passin -passout", after: "pass:"},
	{names: "openssl", separate: "-k -K -hmac"},
	{names: "openssl", separate: "-macopt", after: "key:"},
	{names: "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", separate: "-w"},
	{names: "sqlcmd bcp osql", separate: "-P", joined: "-P"},
	{names: "zip unzip zipcloak", separate: "-P"},
	{names: "smbclient smbget rpcclient", separate: "-U --user", after: "%"},
	{names: "http https xh httpie", separate: "-a --auth", after: ":"},
	{names: "ldappasswd", separate: "-s"},
	{names: "mosquitto_pub mosquitto_sub mosquitto_rr", separate: "-P"},
	{names: "twine", separate: "-p", needs: "upload"},
	{names: "lftp", separate: "-u", after: ","},
	{names: "ab", separate: "-A", after: ":"},
	{names: "doctl", separate: "-t", needs: "init"},
	{names: "gh", separate: "-b --body", needs: "secret"},
	{names: "az", separate: "--value", needs: "secret"},
	{names: "rabbitmqctl", needs: "add_user", operand: true},
	{names: "b2", needs: "authorize-account", operand: true},
	{names: "mc", needs: "set", operand: true},
}

var rulesOf = func() map[string][]commandRule {
	rules := map[string][]commandRule{}
	for _, rule := range commandRules {
		for name := range strings.FieldsSeq(rule.names) {
			rules[name] = append(rules[name], rule)
		}
	}
	return rules
}()

// Arguments returns the secrets among the words of a command other than curl: the values of options and assignments whose
// names say so, and the arguments that a known command takes as passwords. reads are the secrets among the words of a
// command whose output it reads.
func Arguments(list, input []string) (all, reads []Argument) {
	for i, word := range list {
		all = append(all, named(list, i)...)
		name := word[strings.LastIndexByte(word, '/')+1:]
		for _, rule := range rulesOf[name] {
			all = append(all, rule.arguments(list, i)...)
		}
		if last := len(input) - 1; last > 0 {
			switch _, after, pair := strings.Cut(input[last], ":"); {
			case name == "chpasswd" || name == "base64" && pair:
				reads = []Argument{{Word: last, From: len(input[last]) - len(after), Name: "password"}}
			case name == "base64" && strings.Contains(input[1], ":%s"), list[0] == "sudo" && name == "-S",
				name == "--password-stdin", name == "--with-token", name == "--stdin":
				reads = []Argument{{Word: last, Name: "password"}}
			}
		}
	}
	return all, reads
}

// named returns the secret in --password=value, --set db.password=value or -e PASSWORD=value, or in the word after
// --password or --arg password.
func named(list []string, i int) []Argument {
	if strings.HasPrefix(list[i], "--from-file") { // of kubectl
		return nil
	}
	from := 0
	for {
		name, value, ok := strings.Cut(list[i][from:], "=")
		if !ok {
			break
		}
		s := sensitivityOf(name)
		if from += len(name) + 1; assigned.run(name) == len(name) && isNamed(s, value) {
			return []Argument{{Word: i, From: from, Name: name, named: true}}
		}
	}
	if i > 0 && i+1 < len(list) && list[i-1] == "set" && isNamed(sensitivityOf(list[i]), list[i+1]) { // aws configure set NAME value
		return []Argument{{Word: i + 1, Name: list[i], named: true}}
	}
	name := strings.TrimLeft(list[i], "-")
	switch {
	case from > 0 || i+1 == len(list) || len(name) == len(list[i]) || word.run(name) < len(name):
		return nil
	case (name == "arg" || name == "argjson") && i+2 < len(list): // of jq
		i++
		name = list[i]
	case strings.HasPrefix(list[i+1], "-") || !strings.HasPrefix(list[i], "--") && !lastWords[name].isSecret(): // mysql -ppassword
		return nil
	}
	if !isNamed(sensitivityOf(name), list[i+1]) {
		return nil
	}
	return []Argument{{Word: i + 1, Name: name, named: true}}
}

// isNamed reports whether an argument under a name of sensitivity s is a secret, not a file with one. The names of files
// and variables with secrets of docker build begin with id=.
func isNamed(s sensitivity, value string) bool {
	return s.isSecret() && s.accepts(value) && !(s == tokenLike && isFile().MatchString(value)) && !strings.HasPrefix(value, "id=")
}

// isFile matches the name of a file with a key.
var isFile = expression.Lazy(`^(?:[./~@].*|.*\.(?:pem|key|crt|p12|pfx|jks|json|ya?ml|txt|env))$`)

// arguments returns the passwords after the name of a command at i.
func (rule *commandRule) arguments(list []string, i int) (all []Argument) {
	needed := rule.needs == ""
	for at := i + 1; at < len(list); at++ {
		word := list[at]
		isOption := strings.HasPrefix(word, "-") && len(word) > 1
		needed = needed || word == rule.needs || isOption && word[1] != '-' && len(rule.needs) == 2 && strings.Contains(word, rule.needs[1:])
		switch {
		case rule.prefix && !isOption:
			return all
		case !needed:
		case isOption && slices.Contains(strings.Fields(rule.separate), word) && at+1 < len(list):
			at++
			all = append(all, rule.argument(list, at, 0)...)
		case isOption && len(word) > 2 && slices.Contains(strings.Fields(rule.joined), word[:2]):
			all = append(all, rule.argument(list, at, 2)...)
		case rule.operand && at > i+1 && at == len(list)-1 && !isOption:
			all = append(all, rule.argument(list, at, 0)...)
		}
	}
	return all
}

func (rule *commandRule) argument(list []string, at, from int) []Argument {
	if rule.after != "" {
		before, _, ok := strings.Cut(list[at], rule.after)
		if !ok {
			return nil
		}
		from = len(before) + len(rule.after)
	}
	if from == len(list[at]) {
		return nil
	}
	return []Argument{{Word: at, From: from, Name: "password"}}
}

// The limits in bytes of a command in prose, before and after an option.
const (
	maxBeforeOption = 96
	maxAfterOption  = 160
)

// option finds the passwords in the arguments of a command in prose, one of whose options begins at i.
func (f *finder) option(i int) {
	option := f.text[i : i+word.run(f.text[i:min(len(f.text), i+maxAssignedName)])]
	f.scanned += len(option)
	if !f.r.sensitivity(strings.TrimLeft(option, "-"), site.Field).isSecret() && !strings.Contains(passwordOptions, option[:2]) {
		return
	}
	line, end := max(f.done, i-maxBeforeOption), min(len(f.text), i+maxAfterOption)
	if n := strings.LastIndexAny(f.text[line:i], commandEnds); n >= 0 {
		line += n + 1
	}
	end = i + untilAny(f.text[i:end], commandEnds)
	f.scanned += end - line
	at := shellWord().FindAllStringIndex(f.text[line:end], -1)
	list := make([]string, len(at))
	for i, bounds := range at {
		list[i] = f.text[line+bounds[0] : line+bounds[1]]
	}
	arguments, _ := Arguments(list, nil)
	for _, a := range arguments {
		from := line + at[a.Word][0] + a.From
		value := f.text[from : line+at[a.Word][1]]
		trimmed := strings.TrimRight(strings.Trim(value, `'"\`), ".,")
		if trimmed != "" && trimmed[0] != '<' && !dummyWords[strings.ToLower(trimmed)] && (!a.named || words.IsMixed(trimmed)) {
			from += strings.Index(value, trimmed)
			f.add(from, from+len(trimmed), a.Name)
		}
	}
}

const commandEnds = "\n;|`&()"

// passwordOptions are the beginnings of the options of the commands in commandRules.
const passwordOptions = "-p -a -P -w -k -K -U -b -h -m"

// shellWord matches a word of a command.
var shellWord = expression.Lazy(`(?:"[^"]*"|'[^']*'|[^\s"'])+|["']`)

// netrc finds the password after the word at i in a line of .netrc: machine h.test login bob password hunter.
func (f *finder) netrc(i int) {
	if !strings.HasPrefix(f.text[i:], "password ") {
		return
	}
	before := f.text[max(f.done, i-maxStatement):i]
	f.scanned += len(before) + maxStatement
	fields := strings.Fields(before)
	if n := len(fields); n < 2 || fields[n-2] != "login" {
		return
	}
	from := i + len("password ")
	f.add(from, from+untilAny(f.text[from:min(len(f.text), from+maxAssigned)], " \t\r\n"), "password")
}
