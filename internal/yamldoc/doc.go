// Package yamldoc writes YAML from JSON. Its output reads back to the same value in YAML 1.1 and YAML 1.2
// readers, including those that deviate from both; test/yamlreaders tests two dozen of them.
//
// The terms are YAML's: a mapping has entries, each with a key and a value; a sequence has entries; a scalar is
// plain (bare), double-quoted, or a literal block (|). Each of the rules below exists for some reader:
//
//   - Block style, no document marker, tag, anchor or alias, no folded lines;
//     only empty mappings and sequences are in flow style.
//   - A string is plain only when it is made of a small ASCII alphabet, begins
//     with a letter or one of / _ $ ( and has no other meaning in any version
//     of YAML. What begins like a number, a date or an indicator never is.
//   - A number is its JSON lexeme, except that one with an exponent is
//     written 1.0e+3: YAML 1.1 requires the dot and the sign.
//   - Text of several lines is a literal block where that is exact.
//   - In double quotes the escapes are those that JSON and YAML share. What is
//     no printable character for some version of YAML is escaped, and so are
//     line breaks beyond LF, the byte order mark, the bidirectional controls
//     and the noncharacters.
//   - A key of more than 1,000 bytes is written with ?, as readers stop
//     looking for the colon of an ordinary key after 1,024.
//
// The output depends only on the value and the indent, not on how the JSON source spells its strings. The
// package does not read YAML.
//
// Known limitation: Ruby's Psych merges the value of a key << that is a mapping, quoted or not, and so does
// Node's yaml 1 when set to YAML 1.1. The tag that Psych would respect breaks the key in other readers.
package yamldoc
