_convertd() {
  local IFS=$'\n' last=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(convertd complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ ${COMPREPLY[0]} == / ]]; then
    COMPREPLY=($(compgen -d -- "${last#=}"))
    compopt -o filenames +o default 2>/dev/null
    return
  fi
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  [[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#--*=}")
}
complete -o default -F _convertd convertd
