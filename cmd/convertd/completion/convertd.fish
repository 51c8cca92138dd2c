function __convertd_complete
  set -l last (commandline -ct)
  set -l lines (convertd complete -- (commandline -opc)[2..] $last 2>/dev/null)
  set -l flag (string match -r -- '^--[^=]*=' $last)
  set -l path (string replace -- "$flag" '' $last)
  if test "$lines" = /
    printf '%s\n' "$flag"(__fish_complete_directories $path '')
  else if test (count $lines) -gt 0
    printf '%s\n' $lines
  else
    printf '%s\n' "$flag"(__fish_complete_path $path)
  end
end
complete -c convertd -f -a '(__convertd_complete)'
