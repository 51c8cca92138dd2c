// Package yamldoc writes YAML from JSON. What it writes reads back to the same
// value in YAML 1.1 and YAML 1.2 readers alike, those that stray from both
// included.
//
// The words are YAML's: a mapping has entries, each a key and a value; a
// sequence has entries; a scalar is plain (bare), double-quoted, or a literal
// block (|). The rules of writing, each for the sake of some reader:
//
//   - Block style, no document marker, one line per scalar; only empty
//     mappings and sequences are in flow style. Lines are never folded.
//   - A string is plain only when it is made of a small ASCII alphabet, begins
//     with a letter, / _ $ or (, and no version of YAML has another meaning
//     for it. What begins like a number, a date or an indicator never is.
//   - A number is its JSON lexeme, except that one with an exponent is
//     written 1.0e+3: YAML 1.1 asks for the dot and for the sign.
//   - Text of several lines is a literal block where that is exact.
//   - In double quotes the escapes are those that JSON and YAML share. What is
//     no printable character for some version of YAML is escaped, and so are
//     line breaks beyond LF, the byte order mark, the bidirectional controls
//     and the noncharacters.
//   - A key of more than 1,000 characters is written with ?, as readers stop
//     looking for the colon of an ordinary key behind 1,024.
//
// The output depends on the value and the indent only, not on how the JSON
// text spells its strings. The package does not read YAML.
package yamldoc
