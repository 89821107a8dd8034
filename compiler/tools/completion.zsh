#compdef opc opc-opt
# Completion of opc and opc-opt in zsh: source <(opc completion zsh), after compinit
_opc() {
  local curcontext="$curcontext" state line name=${1:-${service:t}}
  local -a names=(
@commands@
  )
  case $name in
@cases@
  esac
  case $state in
    command) _describe command names ;;
    rest) [[ -n ${names[(r)${line[1]}:*]} ]] && _opc "opc ${line[1]}" ;;
  esac
}
if [[ ${funcstack[1]} == _opc ]]; then
  _opc
else
  compdef _opc opc opc-opt
fi
