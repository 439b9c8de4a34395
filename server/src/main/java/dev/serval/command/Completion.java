package dev.serval.command;

import dev.serval.config.KeyPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Makes the scripts by which shells complete the words of `serval`, from the grammar of commands and
/// from the table of keys. Stateless.
final class Completion {
    /// The shells that have a script.
    static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private Completion() {}

    /// Returns the script.
    ///
    /// @param shell one of [#SHELLS]
    static String script(String shell, CommandSpec root) {
        return switch (shell) {
            case "bash" -> bash(root);
            case "zsh" -> zsh(root);
            default -> fish(root);
        };
    }

    /// Returns what a command takes that is one of some words.
    static List<String> arguments(String command) {
        return switch (command) {
            case ConfigCommands.HELP -> KeyPath.all().stream().map(KeyPath::path).toList();
            case ConfigCommands.COMPLETION -> SHELLS;
            case ControlCommand.DRAIN -> List.of("on", "off");
            case ControlCommand.LOAD_MODE ->
                    List.of("auto", "light", "normal", "heavy", "critical");
            default -> List.of();
        };
    }

    /// Returns the words that may follow each command, such as `user add`.
    private static Map<String, String> words(CommandSpec root) {
        Map<String, String> words = new TreeMap<>();
        words(root, "", words);
        return words;
    }

    private static void words(CommandSpec command, String path, Map<String, String> words) {
        List<String> all = new ArrayList<>(arguments(path));
        command.options().forEach(option -> all.add(option.longestName()));
        command.subcommands()
                .forEach((name, inner) -> {
                    all.add(name);
                    words(inner.getCommandSpec(), path.isEmpty() ? name : path + " " + name, words);
                });
        words.put(path, String.join(" ", all));
    }

    /// Returns a pattern of the names of all commands.
    private static String commands(Map<String, String> words) {
        return words.keySet().stream()
                .filter(path -> !path.isEmpty())
                .map(path -> '"' + path + '"')
                .collect(Collectors.joining(" | "));
    }

    private static String bash(CommandSpec root) {
        Map<String, String> all = words(root);
        StringBuilder cases = new StringBuilder();
        all.forEach((path, words) ->
                cases.append("        \"")
                        .append(path)
                        .append("\") words=\"")
                        .append(words)
                        .append("\" ;;\n"));
        return """
        # Completion of serval in bash: source this file, or put it into
        # /usr/share/bash-completion/completions/serval.
        _serval() {
            local cur=${COMP_WORDS[COMP_CWORD]} path= word words=
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case ${path:+$path }$word in
                    COMMANDS) path=${path:+$path }$word ;;
                    *) break ;; # an option or an argument
                esac
            done
            case $path in
        """
                        .replace("COMMANDS", commands(all))
                + cases
                + """
                    esac
                    COMPREPLY=($(compgen -W "$words" -- "$cur"))
                    [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- "$cur"))
                }
                complete -o filenames -o bashdefault -F _serval serval
                """;
    }

    private static String zsh(CommandSpec root) {
        Map<String, String> all = words(root);
        StringBuilder cases = new StringBuilder();
        all.forEach((path, words) ->
                cases.append("        \"")
                        .append(path)
                        .append("\") candidates=(")
                        .append(words)
                        .append(") ;;\n"));
        return """
        #compdef serval
        # Completion of serval in zsh: put this file as _serval into a folder of $fpath.
        _serval() {
            local path_words="" word
            local -a candidates
            for word in ${words[2,CURRENT-1]}; do
                case ${path_words:+$path_words }$word in
                    COMMANDS) path_words=${path_words:+$path_words }$word ;;
                    *) break ;; # an option or an argument
                esac
            done
            case $path_words in
        """
                        .replace("COMMANDS", commands(all))
                + cases
                + """
                    esac
                    compadd -a candidates
                    [[ $PREFIX == -* ]] || _files
                }
                compdef _serval serval
                """;
    }

    private static String fish(CommandSpec root) {
        StringBuilder script =
                new StringBuilder(
                        "# Completion of serval in fish: put this file into"
                                + " ~/.config/fish/completions/serval.fish.\n");
        fish(root, "__fish_use_subcommand", script);
        return script.toString();
    }

    private static void fish(CommandSpec command, String condition, StringBuilder script) {
        String begin = "complete -c serval -n '" + condition + "'";
        for (OptionSpec option : command.options()) {
            script.append(begin)
                    .append(" -l ")
                    .append(option.longestName().substring(2))
                    .append(option.arity().max() > 0 ? " -r" : "")
                    .append(" -d '")
                    .append(first(String.join(" ", option.description())))
                    .append("'\n");
        }
        command.subcommands()
                .forEach((name, inner) -> {
                    script.append(begin).append(" -f -a ").append(name).append('\n');
                    List<String> arguments = arguments(name);
                    if (!arguments.isEmpty()) {
                        script.append("complete -c serval -n '__fish_seen_subcommand_from ")
                                .append(name)
                                .append("' -f -a '")
                                .append(String.join(" ", arguments))
                                .append("'\n");
                    }
                    fish(inner.getCommandSpec(), "__fish_seen_subcommand_from " + name, script);
                });
    }

    /// Returns the first sentence of a description.
    private static String first(String description) {
        int end = description.indexOf(". ");
        String sentence = end < 0 ? description : description.substring(0, end);
        return sentence.replace("'", "\\'").replace("%", "");
    }
}
