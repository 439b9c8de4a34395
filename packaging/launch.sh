# shellcheck shell=sh
# What the launchers have in common: ./serval of the source tree and /usr/bin/serval of the package.

# The young generation of the serial collector is a third of the initial heap, and grows only after a
# full collection, which comes when the heap is full. A small one is collected so often that requests in
# progress move to the old generation, which then fills with what they leave.
LARGE_HEAP="-Xms96m -XX:NewSize=64m"
LARGE_MEGABYTES=192

# is_large SIZE…: whether a heap of this size, such as 2g, has room for LARGE_HEAP.
is_large() {
    size=${1%%[!0-9]*}
    [ -n "$size" ] || return 1
    case ${1#"$size"} in
        [gG]*) return 0 ;;
        [mM]*) [ "$size" -ge "$LARGE_MEGABYTES" ] ;;
        [kK]*) [ "$size" -ge $((LARGE_MEGABYTES * 1024)) ] ;;
        *) [ "$size" -ge $((LARGE_MEGABYTES * 1048576)) ] ;;
    esac
}

# Sets options to the launcher's options for the JVM. JAVA_OPTS comes later on the command line and
# overrides them.
choose_options() {
    # The JDK's default initial heap is 1/64 of the memory, and the JVM fills it before it collects.
    options=-Xms32m
    case ${JAVA_OPTS:-} in
        *-XX:+Use*GC*) ;; # the JVM refuses two collectors
        *-Xm[sn]* | *-XX:New* | *-XX:*HeapSize* | *-XX:*RAMPercentage*)
            options="$options -XX:+UseSerialGC"
            ;;
        *-Xmx*)
            options="$options -XX:+UseSerialGC"
            ! is_large "${JAVA_OPTS##*-Xmx}" || options="$LARGE_HEAP -XX:+UseSerialGC"
            ;;
        *) options="$LARGE_HEAP -XX:+UseSerialGC" ;;
    esac
    # The JVM ignores a cache that is stale or does not fit JAVA_OPTS; these options suppress its
    # warning.
    options="$options -Xlog:aot=off -Xlog:cds=off"
}

# Java decodes file names by the locale. Without a UTF-8 locale it loses non-ASCII letters.
choose_locale() {
    case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
        *UTF-8* | *utf8* | *UTF8* | *utf-8*) ;;
        *) LC_ALL=C.UTF-8 && export LC_ALL ;;
    esac
}

# rehearse JAVA JAR CONFIG FOLDER FILE LOG: makes a cache of loaded and linked classes beside the jar. The
# cache saves a third of the time to the first request, and the JVM compiles the hot code at once. A
# rehearsal makes it: a start with CONFIG, which serves FOLDER, requests for FILE and others, and a
# stop. The server also starts without the cache, so errors go to LOG only, and an empty cache says
# that none could be made.
rehearse() {
    # shellcheck disable=SC2086 # $options is a list of words
    REHEARSAL_FOLDER=$4 "$1" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$2" \
        dev.serval.rehearsal.Rehearsal "$5" absent -- \
        "$1" $options -XX:AOTCacheOutput="$2.$$" -jar "$2" \
        run --config "$3" >"$6" 2>&1 || : >"$2.$$"
    mv -f -- "$2.$$" "$2.aot" 2>/dev/null || : >"$2.aot"
}

# run_jar JAVA JAR ARGUMENTS…: becomes the server. It starts its successor by $SERVAL_LAUNCHER.
run_jar() {
    java=$1 jar=$2
    shift 2
    set -- -jar "$jar" "$@"
    [ ! -s "$jar.aot" ] || set -- -XX:AOTCache="$jar.aot" "$@"
    # shellcheck disable=SC2086 # $options and $JAVA_OPTS are lists of words
    exec "$java" $options ${JAVA_OPTS:-} "$@"
}
