# SPDX-License-Identifier: Apache-2.0
# zsh -f complete.zsh PROGRAM TYPED: types that and a tab into a real zsh, and prints the line until something has come.
zmodload zsh/zpty zsh/datetime
path=(${1:h} $path)
zpty shell "PATH=${(q)PATH} TERM=dumb zsh -f -i"
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -u -D; source <(firstwatch completion zsh); print -r READ''Y'
zpty -r shell line '*READY*' || exit 1
zpty -n -w shell "$2"$'\t'
until=$(($EPOCHSECONDS + 10))
seen=
while ((EPOCHSECONDS < until)); do
    zpty -rt shell line && seen+=$line || sleep 0.05
    [[ $seen == *"$3"* ]] && break
done
zpty -d shell
print -r -- "$seen"
