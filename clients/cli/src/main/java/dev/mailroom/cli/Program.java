package dev.mailroom.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Arguments, environment and streams of the program.
 *
 * @param types whether standard input is a terminal
 * @param shows whether standard output is a terminal
 * @param notes whether standard error is a terminal
 */
record Program(Map<String, String> environment, InputStream in, PrintStream out, PrintStream err, boolean types,
		boolean shows, boolean notes) {

	static Program system() {
		return new Program(System.getenv(), System.in, stream(FileDescriptor.out), stream(FileDescriptor.err),
				isTerminal(0), isTerminal(1), isTerminal(2));
	}

	/** Terminals and files get UTF-8, whatever the locale of a container says. */
	private static PrintStream stream(FileDescriptor descriptor) {
		return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
	}

	/**
	 * The start script names the terminals, as Java knows only of all three together.
	 */
	private static boolean isTerminal(int descriptor) {
		String named = System.getProperty("mailroom.terminals");
		if (named != null) {
			return named.contains(Integer.toString(descriptor));
		}
		try {
			String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
			return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
		}
		catch (IOException | UnsupportedOperationException ex) {
			return isConsole();
		}
	}

	/** From Java 22 on there is a console without a terminal, which says so. */
	@SuppressWarnings("SystemConsoleNull")
	private static boolean isConsole() {
		Console console = System.console();
		if (console == null) {
			return false;
		}
		try {
			return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
		}
		catch (ReflectiveOperationException ex) {
			return true;
		}
	}

	@Nullable String variable(String name) {
		String value = this.environment.get(name);
		return (value != null && !value.isBlank()) ? value : null;
	}

	/** A folder of the program: XDG's, or that of Windows. */
	Path folder(String variable, String underHome) {
		String base = variable(variable);
		if (base == null && System.getProperty("os.name", "").startsWith("Windows")) {
			base = variable("APPDATA");
		}
		Path parent = (base != null) ? Path.of(base) : home().resolve(underHome);
		return parent.resolve("mailroom");
	}

	private Path home() {
		String home = variable("HOME");
		return Path.of((home != null) ? home : System.getProperty("user.home"));
	}

}
