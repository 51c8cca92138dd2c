#compdef convertd
_convertd() {
  local -a lines
  lines=(${(f)"$(convertd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ ${lines[1]} == / ]]; then
    compset -P '--*='
    _files -/
  elif (( ${#lines} )); then
    lines=(${lines//:/\\:})
    lines=(${lines/$'\t'/:})
    _describe -V convertd lines
  else
    compset -P '--*='
    _files
  fi
}
if [[ "${funcstack[1]}" == _convertd ]]; then
  _convertd "$@"
else
  (( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i }
  compdef _convertd convertd
fi
