# Waits until Arbiter is gone, whatever ended it, and then kills what its engines left behind.
#
# Arbiter holds the only write end of our standard input. Through it come the process groups of the engines, `+ GROUP`
# when one starts and `- GROUP` when it has been ended. The end of the file means that Arbiter is no more: `kill -9`
# leaves it no time to say so. $1 is the mark that every engine carries in its environment; by it, where there is
# /proc, we also find the children that left their group.

# What ends Arbiter must not end us.
trap '' HUP INT QUIT TERM

groups=' '
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) case $groups in
               *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
           esac ;;
    esac
done

for group in $groups; do
    kill -s KILL -- "-$group"
done

# A process may have forked while we were looking, so look until nothing is found, but not for ever.
for attempt in 1 2 3 4 5; do
    found=
    for file in $(grep -lsF -- "$1" /proc/[0-9]*/environ); do
        process=${file#/proc/}
        kill -s KILL "${process%/environ}" && found=yes
    done
    [ "$found" ] || break
done
