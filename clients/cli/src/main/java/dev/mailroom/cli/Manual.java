package dev.mailroom.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes what the model of the commands contains: the manual page, the reference of the
 * documentation, and the scripts of the shells.
 */
public final class Manual {

	private Manual() {
	}

	/**
	 * Writes the files of a distribution.
	 * @param arguments the folder and the version
	 */
	public static void main(String... arguments) throws IOException {
		Path folder = Path.of(arguments[0]);
		CommandLine root = root();
		write(folder.resolve("man/man1/mailroom.1"), roff(root, arguments[1]));
		write(folder.resolve("completion/mailroom.bash"), Completion.bash(root));
		write(folder.resolve("completion/mailroom.zsh"), Completion.bash(root));
		write(folder.resolve("completion/mailroom.fish"), Completion.fish(root));
		write(folder.resolve("reference.md"), markdown(root));
	}

	private static void write(Path file, String text) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	static CommandLine root() {
		Program none = new Program(Map.of(), new ByteArrayInputStream(new byte[0]), System.out, System.err, false,
				false, false);
		return Main.commands(new Session(none));
	}

	/** The commands that do something, in the order of their names. */
	static Stream<CommandSpec> leaves(CommandSpec command) {
		return command.subcommands().isEmpty() ? Stream.of(command)
				: command.subcommands().values().stream().flatMap((sub) -> leaves(sub.getCommandSpec()));
	}

	/** The first sentence of a description. */
	static String first(CommandSpec command) {
		String[] description = command.usageMessage().description();
		return (description.length > 0) ? description[0] : "";
	}

	static String markdown(CommandLine root) {
		StringBuilder out = new StringBuilder("All commands have these options:\n\n| option | meaning |\n|---|---|\n");
		options(root.getCommandSpec(), true).forEach((option) -> row(out, option));
		leaves(root.getCommandSpec()).forEach((command) -> {
			out.append("\n### ").append(command.qualifiedName()).append('\n');
			out.append(String.join(" ", command.usageMessage().description())).append("\n");
			List<ArgSpec> arguments = arguments(command);
			if (!arguments.isEmpty()) {
				out.append("\n| argument | meaning |\n|---|---|\n");
				arguments.forEach((argument) -> row(out, argument));
			}
		});
		return out.toString();
	}

	private static void row(StringBuilder out, ArgSpec argument) {
		out.append("| `")
			.append(synopsis(argument))
			.append("` | ")
			.append(String.join(" ", argument.description()).replace("|", "\\|"))
			.append(" |\n");
	}

	private static String roff(CommandLine root, String version) {
		StringBuilder out = new StringBuilder(".TH MAILROOM 1 \"\" \"mailroom " + version + "\"\n");
		out.append(".SH NAME\nmailroom \\- ").append(escaped(first(root.getCommandSpec()))).append('\n');
		out.append(".SH SYNOPSIS\n.B mailroom\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR\n.SH OPTIONS\n");
		options(root.getCommandSpec(), true).forEach((option) -> entry(out, option));
		out.append(".SH COMMANDS\n");
		leaves(root.getCommandSpec()).forEach((command) -> {
			out.append(".SS \"").append(escaped(command.qualifiedName())).append("\"\n");
			out.append(escaped(String.join(" ", command.usageMessage().description()))).append('\n');
			arguments(command).forEach((argument) -> entry(out, argument));
		});
		out.append(".SH NOTES\n");
		Arrays.stream(root.getCommandSpec().usageMessage().footer())
			.filter((line) -> !line.isEmpty())
			.forEach((line) -> out.append(escaped(line)).append("\n.br\n"));
		return out.toString();
	}

	private static void entry(StringBuilder out, ArgSpec argument) {
		out.append(".TP\n.B ").append(escaped(synopsis(argument))).append('\n');
		out.append(escaped(String.join(" ", argument.description()))).append('\n');
	}

	private static String escaped(String text) {
		return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("^([.'])", "\\\\&$1");
	}

	private static List<ArgSpec> arguments(CommandSpec command) {
		return Stream
			.<ArgSpec>concat(command.positionalParameters().stream(),
					options(command, false).stream().map((option) -> option))
			.toList();
	}

	/** The options of the root, which all commands have, or those of one command. */
	private static List<OptionSpec> options(CommandSpec command, boolean root) {
		return command.options()
			.stream()
			.filter((option) -> !option.hidden())
			.filter((option) -> root || !(option.inherited() || option.usageHelp() || option.versionHelp()))
			.sorted((one, other) -> one.longestName().compareTo(other.longestName()))
			.toList();
	}

	private static String synopsis(ArgSpec argument) {
		if (argument instanceof OptionSpec option) {
			String names = String.join(", ", option.names());
			String label = option.arity().max() == 0 ? ""
					: option.arity().min() == 0 ? "[=" + option.paramLabel() + "]" : "=" + option.paramLabel();
			return names + label;
		}
		return argument.paramLabel();
	}

}
