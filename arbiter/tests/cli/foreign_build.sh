# Builds the foreign engine (`foreign_repository.rs`, which fills in the words in capitals).
mode=$(cat mode)
echo "$mode" >> 'BUILDS'
echo "compiling $mode"
if [ "$mode" = broken ]; then echo 'error: no semicolon in line 7' >&2; exit 1; fi
mkdir -p bin
if [ "$mode" = copied ]; then cp 'MOCK' bin/engine; exit; fi
if [ "$mode" = tarrasch ]; then line="exec 'TARRASCH' \"\$@\""; else line="exec 'MOCK' $mode"; fi
{ echo '#!/bin/sh'; echo "# $(cat step)"; cat wrapper 2>/dev/null; echo "$line"; } > bin/engine
chmod +x bin/engine
