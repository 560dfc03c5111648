package dev.mailroom.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.mailroom.sdk.MailroomException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** Starts the program, and makes exit codes and errors of exceptions. */
public final class Main {

	private static final List<Class<?>> GROUPS = List.of(Campaigns.class, Completion.class, Contacts.class,
			Domains.class, Emails.class, Suppressions.class, Templates.class, WebhookCommands.class);

	/** Classes whose commands stand beside the groups. */
	private static final List<Class<?>> COMMANDS = List.of(SignIn.class, Basics.class, Sending.class, Watching.class);

	/** The name of a command whose annotation has none. */
	private static final String UNNAMED = "<main class>";

	private static final String[] FOOTER = { "",
			"The key is that of --api-key-file, else of MAILROOM_API_KEY, else of the profile. "
					+ "Output is JSON if it does not go to a terminal.",
			"Exit codes: 0 done, 1 refused, 2 wrong use, 3 not signed in, 4 permission missing, 5 not found, "
					+ "6 quota or rate, 7 network or server, 8 waited in vain, 130 interrupted." };

	private Main() {
	}

	/** Runs a command. */
	public static void main(String... args) {
		System.exit(run(Program.system(), args));
	}

	static int run(Program program, String... args) {
		Session session = new Session(program);
		CommandLine line = commands(session, new HashSet<>(List.of(args)));
		boolean colored = program.shows() && program.variable("NO_COLOR") == null;
		line.setColorScheme(Help.defaultColorScheme(colored ? Help.Ansi.ON : Help.Ansi.OFF));
		line.setOut(new PrintWriter(program.out(), true, StandardCharsets.UTF_8));
		line.setErr(new PrintWriter(program.err(), true, StandardCharsets.UTF_8));
		line.setExecutionExceptionHandler((ex, command, result) -> failed(session.output(), ex));
		line.setParameterExceptionHandler((ex, arguments) -> misused(program, ex, arguments));
		int code = line.execute(args);
		program.out().flush();
		return code;
	}

	/** The tree of all commands, in the order of their names. */
	static CommandLine commands(Session session) {
		return commands(session, Set.of());
	}

	/**
	 * The tree of those commands that are named in the arguments, as building one takes
	 * longer than running it; of all if none is named.
	 */
	private static CommandLine commands(Session session, Set<String> named) {
		CommandLine.IFactory factory = new Factory(session);
		Map<String, CommandLine> first = new TreeMap<>();
		Map<String, CommandLine> holders = new TreeMap<>();
		Map<String, Class<?>> groups = new TreeMap<>();
		GROUPS.forEach((type) -> groups.put(type.getAnnotation(Command.class).name(), type));
		Map<String, Method> methods = new TreeMap<>();
		COMMANDS.forEach((type) -> methods.putAll(methods(type)));
		boolean any = named.equals(Set.of("--version"))
				|| Stream.concat(groups.keySet().stream(), methods.keySet().stream()).anyMatch(named::contains);
		groups.forEach((name, type) -> {
			if (!any || named.contains(name)) {
				first.put(name, group(type, factory, named));
			}
		});
		methods.forEach((name, method) -> {
			if (!any || named.contains(name)) {
				first.put(name, new CommandLine(method, factory));
				holders.put(name, new CommandLine(method.getDeclaringClass(), factory));
			}
		});
		CommandLine root = new CommandLine(session, factory);
		first.forEach(root::addSubcommand);
		root.getCommandSpec().usageMessage().footer(FOOTER);
		// picocli calls a method on the object of the parent.
		root.setExecutionStrategy((parsed) -> {
			CommandLine.ParseResult called = parsed.subcommand();
			CommandLine holder = (called != null) ? holders.get(called.commandSpec().name()) : null;
			if (called != null && holder != null) {
				called.commandSpec().parent(holder.getCommandSpec());
			}
			return new CommandLine.RunLast().execute(parsed);
		});
		root.registerConverter(Duration.class, Main::duration);
		root.registerConverter(Instant.class, Main::time);
		return root;
	}

	private static CommandLine group(Class<?> type, CommandLine.IFactory factory, Set<String> named) {
		CommandLine group = new CommandLine(type, factory);
		Map<String, Method> methods = methods(type);
		boolean any = methods.keySet().stream().anyMatch(named::contains);
		methods.forEach((name, method) -> {
			if (!any || named.contains(name)) {
				group.addSubcommand(name, new CommandLine(method, factory));
			}
		});
		return group;
	}

	/** The commands of a class. Their order in the class is not kept by Java. */
	private static Map<String, Method> methods(Class<?> type) {
		Map<String, Method> methods = new TreeMap<>();
		for (Method method : type.getDeclaredMethods()) {
			Command command = method.getAnnotation(Command.class);
			if (command != null) {
				methods.put(command.name().equals(UNNAMED) ? method.getName() : command.name(), method);
			}
		}
		return methods;
	}

	private static Duration duration(String text) {
		if (!text.matches("[0-9]{1,6}[smhd]")) {
			throw new CommandLine.TypeConversionException("'" + text + "' is no time such as 90s, 30m, 2h or 1d");
		}
		String iso = text.endsWith("d") ? "P" + text : "PT" + text;
		return Duration.parse(iso);
	}

	/** A time, or a duration from now. */
	private static Instant time(String text) {
		try {
			return text.startsWith("+") ? Instant.now().plus(duration(text.substring(1))) : Instant.parse(text);
		}
		catch (DateTimeParseException ex) {
			throw new CommandLine.TypeConversionException(
					"'" + text + "' is no time such as 2026-12-01T09:00:00Z or +2h");
		}
	}

	static String version() {
		String version = Main.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "development";
	}

	private static int misused(Program program, ParameterException ex, String... arguments) {
		boolean json = List.of(arguments).contains("--json") || !program.shows();
		String help = ex.getCommandLine().getCommandSpec().qualifiedName() + " --help";
		return report(new Output(program, json),
				Failure.usage(Output.clean(String.valueOf(ex.getMessage())) + ". See " + help));
	}

	/** Prints an error, and returns the exit code. */
	private static int failed(Output output, Exception ex) {
		if (ex instanceof Failure failure) {
			return report(output, failure);
		}
		if (ex instanceof MailroomException refused) {
			return report(output, refused);
		}
		Throwable cause = (ex instanceof UncheckedIOException unchecked) ? unchecked.getCause() : ex;
		if (cause instanceof IOException file) {
			String what = (file instanceof NoSuchFileException) ? "There is no file " + file.getMessage()
					: file.getMessage() + " (" + file.getClass().getSimpleName() + ")";
			return report(output, Failure.usage(what));
		}
		return report(output, new Failure(Failure.REFUSED, "unexpected", ex.toString()));
	}

	private static int report(Output output, Failure failure) {
		if (failure.code() != 0) {
			Map<String, Object> error = new LinkedHashMap<>();
			error.put("name", failure.name());
			error.put("message", String.valueOf(failure.getMessage()));
			output.error(Map.of("error", error), String.valueOf(failure.getMessage()));
		}
		return failure.code();
	}

	private static int report(Output output, MailroomException refused) {
		Map<String, @Nullable Object> error = new LinkedHashMap<>();
		List<Object> details = new ArrayList<>();
		StringBuilder line = new StringBuilder(Output.clean(String.valueOf(refused.getMessage())));
		for (MailroomException.FieldError detail : refused.details()) {
			details.add(Map.of("field", detail.field(), "message", detail.message()));
			line.append("\n  ").append(Output.clean(detail.field() + " " + detail.message()));
		}
		line.append("\n  ").append(refused.name()).append(", request ").append(refused.requestId());
		refused.docsUrl().ifPresent((url) -> line.append("\n  ").append(Output.clean(url)));
		error.put("name", refused.name());
		error.put("statusCode", refused.statusCode());
		error.put("message", refused.getMessage());
		if (!details.isEmpty()) {
			error.put("details", details);
		}
		error.put("request_id", refused.requestId());
		refused.docsUrl().ifPresent((url) -> error.put("docs_url", url));
		output.error(Map.of("error", error), line.toString());
		return code(refused);
	}

	private static int code(MailroomException refused) {
		if (refused instanceof MailroomException.Unauthenticated) {
			return Failure.NOT_SIGNED_IN;
		}
		if (refused instanceof MailroomException.PermissionDenied) {
			return Failure.PERMISSION;
		}
		if (refused instanceof MailroomException.NotFound) {
			return Failure.NOT_FOUND;
		}
		if (refused instanceof MailroomException.RateLimited || refused instanceof MailroomException.QuotaExceeded) {
			return Failure.LIMITED;
		}
		if (refused instanceof MailroomException.ServerFailure
				|| refused instanceof MailroomException.ConnectionFailure) {
			return Failure.UNREACHABLE;
		}
		return Failure.REFUSED;
	}

	/** Prints the version of the jar. */
	static final class Version implements IVersionProvider {

		@Override
		public String[] getVersion() {
			return new String[] { "mailroom " + version() };
		}

	}

	/** Gives commands the session. */
	private record Factory(Session session) implements CommandLine.IFactory {

		@Override
		public <K> K create(Class<K> type) throws Exception {
			for (Constructor<?> constructor : type.getDeclaredConstructors()) {
				if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Session.class) {
					return type.cast(constructor.newInstance(this.session));
				}
			}
			return CommandLine.defaultFactory().create(type);
		}

	}

}
