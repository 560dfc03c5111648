package dev.mailroom.bench.rows;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Program;
import dev.mailroom.standalone.Standalone;

/**
 * Times from start to ready (G20): of the packaged API with a complete schema, without
 * and with an AOT cache, and of the standalone with the data of an earlier start.
 */
final class Starts implements Section {

	private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-Xmx400m");

	private static final List<String> STANDALONE = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m",
			"-cp", classPath(), Standalone.class.getName());

	private static final EnumSet<Figure> PACKAGED = EnumSet.of(Figure.START_API, Figure.START_AOT);

	private static final int MAX_OUTPUT = 2_000;

	private static final int TRAINING_MINUTES = 15;

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.START_API, Figure.START_AOT, Figure.START_STANDALONE);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		List<Step> steps = new ArrayList<>();
		if (wanted.stream().anyMatch(PACKAGED::contains)) {
			Optional<Path> jar = jar();
			if (jar.isPresent()) {
				packaged(stack, jar.get(), steps);
			}
			else {
				steps.add(new Step(PACKAGED, 1, (out) -> out.missing(PACKAGED,
						"platform-api is not packaged: run mvn -Pfigures package instead of test")));
			}
		}
		if (wanted.contains(Figure.START_STANDALONE)) {
			Map<String, String> settings = standalone(stack);
			Path log = stack.directory().resolve("standalone.log");
			start(log, STANDALONE, settings);
			steps.add(Step.of((out) -> out.add(Figure.START_STANDALONE, start(log, STANDALONE, settings)),
					Figure.START_STANDALONE));
		}
		return steps;
	}

	/** The class path without tests, which a start would search for components. */
	private static String classPath() {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
			.filter((entry) -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static Optional<Path> jar() throws IOException {
		Path target = Path.of("..", "platform-api", "target");
		if (!Files.isDirectory(target)) {
			return Optional.empty();
		}
		try (Stream<Path> files = Files.list(target)) {
			return files.filter((file) -> file.getFileName().toString().endsWith("-app.jar")).findFirst();
		}
	}

	/** Extracts the jar as an image does, and trains its AOT cache. */
	private static void packaged(Stack stack, Path jar, List<Step> steps) throws Exception {
		Path extracted = stack.directory().resolve("extracted");
		Path log = stack.directory().resolve("start.log");
		java(log, Map.of(), "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination",
				extracted.toString());
		String app = extracted.resolve(jar.getFileName()).toString();
		String cache = stack.directory().resolve("api.aot").toString();
		Map<String, String> settings = stack.settings(Stack.PRODUCT);
		List<String> plain = Stream.concat(JVM.stream(), Stream.of("-jar", app)).toList();
		List<String> cached = Stream.concat(JVM.stream(), Stream.of("-XX:AOTCache=" + cache, "-jar", app)).toList();
		steps.add(Step.of((out) -> out.add(Figure.START_API, start(log, plain, settings)), Figure.START_API));
		try {
			train(log, cache, app, settings);
			steps.add(Step.of((out) -> out.add(Figure.START_AOT, start(log, cached, settings)), Figure.START_AOT));
		}
		catch (IOException ex) {
			steps.add(new Step(EnumSet.of(Figure.START_AOT), 1,
					(out) -> out.missing(EnumSet.of(Figure.START_AOT), String.valueOf(ex.getMessage()))));
		}
	}

	/**
	 * Starts the API up to its web server, and stores the loaded classes and profiles.
	 */
	private static void train(Path log, String cache, String app, Map<String, String> settings) throws Exception {
		java(log, settings,
				Stream
					.concat(JVM.stream(),
							Stream.of("-XX:AOTCacheOutput=" + cache, "-Dspring.context.exit=onRefresh",
									"-Dserver.port=0", "-Dmanagement.server.port=0", "-jar", app))
					.toArray(String[]::new));
	}

	private static void java(Path log, Map<String, String> settings, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
						"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(log.toFile()));
		builder.environment().putAll(settings);
		Process process = builder.start();
		String call = "java " + String.join(" ", arguments);
		if (!process.waitFor(TRAINING_MINUTES, TimeUnit.MINUTES)) {
			process.destroyForcibly();
			throw new IOException("More than " + TRAINING_MINUTES + " minutes: " + call);
		}
		if (process.exitValue() != 0) {
			String output = Files.readString(log);
			System.out.println(output.substring(Math.max(0, output.length() - MAX_OUTPUT)));
			throw new IOException("Exit code " + process.exitValue() + ": " + call);
		}
	}

	private static Map<String, String> standalone(Stack stack) {
		Map<String, String> settings = new HashMap<>();
		for (String port : List.of("ADMIN", "MAILBOX", "CATCHER", "KAFKA", "PG", "INBOUND", "SUBMISSION")) {
			settings.put("MAILROOM_" + port + "_PORT", "0");
		}
		settings.put("SPRING_AUTOCONFIGURE_EXCLUDE", "");
		settings.put("MAILROOM_DATA_DIR", stack.directory().resolve("standalone").toString());
		return settings;
	}

	/** Seconds from the start of a program until it is ready. */
	private static double start(Path log, List<String> arguments, Map<String, String> settings) throws Exception {
		long start = System.nanoTime();
		try (Program _ = new Program(log, arguments, settings)) {
			return (System.nanoTime() - start) / 1e9;
		}
	}

}
