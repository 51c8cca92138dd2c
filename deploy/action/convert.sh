#!/usr/bin/env bash
# Runs TOOL with OPTIONS, or RECIPE, on FILES. See action.yml for the inputs.
set -euo pipefail
shopt -s globstar nullglob dotglob 2>/dev/null || shopt -s nullglob dotglob # macOS's bash has no globstar

command=(run "${TOOL:-}")
if [[ -n ${RECIPE:-} ]]; then
	[[ -z ${TOOL:-} ]] || { echo "::error::give a tool or a recipe, not both"; exit 2; }
	if [[ -f $RECIPE || $RECIPE == *"#r="* ]]; then
		command=(pipeline "$RECIPE")
	else
		read -ra steps <<<"$RECIPE"
		command=(pipeline "${steps[@]}")
	fi
fi
while IFS= read -r option; do
	[[ -z $option ]] || command+=("--$option")
done <<<"${OPTIONS:-}"

files=()
while IFS= read -r pattern; do
	[[ -n $pattern ]] || continue
	IFS='' # names may contain spaces, so expand globs but do not split words
	matches=($pattern)
	unset IFS
	if [[ ${#matches[@]} == 0 || ! -e ${matches[0]} ]]; then
		echo "::error::no file matches a pattern of files"
		exit 2
	fi
	for match in "${matches[@]}"; do
		[[ -d $match ]] || files+=("$match")
	done
done <<<"${FILES:-}"
[[ ${#files[@]} -gt 0 ]] || { echo "::error::name the files to convert"; exit 2; }

case ${WRITE:-} in
'') command+=(--check) ;;
in-place) command+=(--in-place) ;;
*) command+=(--out-dir "$WRITE") ;;
esac
exec convertd "${command[@]}" -- "${files[@]}"
