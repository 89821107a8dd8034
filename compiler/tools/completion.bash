# Completion of opc and opc-opt in bash: source <(opc completion bash)
_opc() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[0]##*/} kind= words= before= word
  COMPREPLY=()
  # bash makes three words of --option=value.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]] && ((COMP_CWORD > 1)); then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $command == opc ]]; then
    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
      case $word in
        @commands@)
          command="opc $word"
          break
          ;;
      esac
    done
  fi
  case "$command $prev" in
@values@
  esac
  [[ $kind ]] || case "$command":"$cur" in
@arguments@
  esac
  case $kind in
    list)
      [[ $cur == *,* ]] && before=${cur%,*},
      COMPREPLY=($(compgen -P "$before" -W "$words" -- "${cur##*,}"))
      compopt -o nospace +o default 2>/dev/null
      ;;
    words)
      COMPREPLY=($(compgen -W "$words" -- "$cur"))
      compopt +o default 2>/dev/null
      ;;
    text) compopt +o default 2>/dev/null ;;
  esac
}
complete -o default -F _opc opc opc-opt
