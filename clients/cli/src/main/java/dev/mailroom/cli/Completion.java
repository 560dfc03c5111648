package dev.mailroom.cli;

import java.util.Map;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Scripts that complete commands and options in a shell. */
@Command(name = "completion", addMethodSubcommands = false,
		description = "Print a script that completes commands in a shell.")
final class Completion {

	private final Session session;

	Completion(Session session) {
		this.session = session;
	}

	@Command(description = "For bash: source <(mailroom completion bash)")
	int bash() {
		return print(bash(Main.commands(this.session)));
	}

	@Command(description = "For zsh: source <(mailroom completion zsh)")
	int zsh() {
		return bash();
	}

	@Command(description = "For fish: mailroom completion fish | source")
	int fish() {
		return print(fish(Main.commands(this.session)));
	}

	private int print(String script) {
		if (this.session.asksForJson()) {
			this.session.output().json(Map.of("script", script));
		}
		else {
			this.session.output().raw(script);
		}
		return 0;
	}

	/** The script for bash, which also is one for zsh. */
	static String bash(CommandLine root) {
		return AutoComplete.bash("mailroom", root);
	}

	/** picocli writes none for fish. */
	static String fish(CommandLine root) {
		StringBuilder out = new StringBuilder("complete -c mailroom -f\n");
		fish(root.getCommandSpec(), "", out);
		return out.toString();
	}

	private static void fish(CommandSpec command, String path, StringBuilder out) {
		String seen = path.isEmpty() ? "" : "__fish_seen_subcommand_from " + path;
		String others = String.join(" ", command.subcommands().keySet());
		command.subcommands().forEach((name, sub) -> {
			String condition = path.isEmpty() ? "__fish_use_subcommand"
					: seen + "; and not __fish_seen_subcommand_from " + others;
			out.append("complete -c mailroom -n '").append(condition).append("' -a ").append(name).append(" -d ");
			out.append(quoted(Manual.first(sub.getCommandSpec()))).append('\n');
			fish(sub.getCommandSpec(),
					(path.isEmpty() || path.equals(name)) ? name : path + "; and __fish_seen_subcommand_from " + name,
					out);
		});
		for (OptionSpec option : command.options()) {
			boolean ofRoot = option.inherited() || option.usageHelp() || option.versionHelp();
			if (option.hidden() || (ofRoot && !path.isEmpty())) {
				continue;
			}
			out.append("complete -c mailroom");
			out.append(path.isEmpty() ? "" : " -n '" + seen + "'");
			for (String name : option.names()) {
				out.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
			}
			out.append((option.arity().min() > 0) ? " -r" : "");
			out.append(option.paramLabel().equals("FILE") ? " -F" : "");
			out.append(" -d ").append(quoted(String.join(" ", option.description()))).append('\n');
		}
	}

	private static String quoted(String text) {
		return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
	}

}
