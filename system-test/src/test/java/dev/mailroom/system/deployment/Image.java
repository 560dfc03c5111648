package dev.mailroom.system.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * File system of an image, assembled by the steps of its Dockerfile on top of this
 * machine's JDK. No registry and no container runtime is needed; a program runs as the
 * image's user in a mount name space in which the files are read-only.
 */
final class Image {

	/** Options that make a start cheaper. */
	private static final String TEST_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

	/** Temporary files go to the pod's volume. */
	private static final String TEMPORARY_FILES = "-Djava.io.tmpdir=/tmp/.image";

	private final Path root;

	private final Map<String, String> environment = new HashMap<>();

	private String user = "";

	private List<String> entryPoint = List.of();

	private Path stage;

	private Path workingDirectory;

	private final boolean cached;

	private Image(Path root, boolean cached) {
		this.root = root;
		this.cached = cached;
		this.stage = root;
		this.workingDirectory = root;
	}

	/**
	 * Assembles an image.
	 * @param context directory of the build
	 * @param root empty directory that every user may enter
	 * @param cached whether the training run writes its cache, which takes most of the
	 * time
	 */
	static Image build(Path context, Path dockerfile, Path root, boolean cached) throws Exception {
		Image image = new Image(root, cached);
		for (String line : Files.readAllLines(dockerfile)) {
			if (!line.isBlank() && !line.startsWith("#")) {
				image.step(context, line.split(" ", 2)[0], line.split(" ", 2)[1]);
			}
		}
		return image;
	}

	private void step(Path context, String instruction, String argument) throws Exception {
		switch (instruction) {
			case "FROM" -> from(argument);
			case "WORKDIR" -> {
				this.workingDirectory = within(this.stage, argument);
				Files.createDirectories(this.workingDirectory);
			}
			case "COPY" -> copy(context, argument.split(" "));
			case "RUN" -> run(this.cached ? argument : argument.replaceAll("-XX:AOTCacheOutput=\\S+ ", ""));
			case "USER" -> this.user = argument;
			case "ENV" -> this.environment.put(argument.split("=", 2)[0], argument.split("=", 2)[1].replace("\"", ""));
			case "ENTRYPOINT" -> this.entryPoint = Stream.of(argument.replaceAll("[\\[\\]\" ]", "").split(","))
				.filter((word) -> this.cached || !word.startsWith("-XX:AOTCache="))
				.toList();
			case "EXPOSE" -> {
			}
			default -> throw new IllegalArgumentException("Not supported here: " + instruction);
		}
	}

	/** A named stage has a directory of its own; the last one is the image. */
	private void from(String argument) throws IOException {
		String[] parts = argument.split(" AS ", -1);
		this.stage = this.root.resolve((parts.length > 1) ? parts[1] : "image");
		this.workingDirectory = Files.createDirectories(this.stage);
	}

	private void copy(Path context, String... arguments) throws IOException {
		boolean fromStage = arguments[0].startsWith("--from=");
		Path source = fromStage ? within(this.root.resolve(arguments[0].substring(7)), arguments[1])
				: context.resolve(arguments[0]);
		Path target = this.workingDirectory.resolve(arguments[arguments.length - 1]);
		if (!Files.exists(source)) {
			throw new IOException("Missing in the build: " + source);
		}
		try (Stream<Path> files = Files.walk(source)) {
			files.filter(Files::isRegularFile)
				.forEach((file) -> copy(file,
						Files.isRegularFile(source) ? target : target.resolve(source.relativize(file).toString())));
		}
	}

	private static void copy(Path file, Path target) {
		try {
			Files.createDirectories(target.getParent());
			Files.copy(file, target);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void run(String command) throws Exception {
		List<String> words = new ArrayList<>(List.of(command.split(" ")));
		words.set(0, java());
		ProcessBuilder builder = new ProcessBuilder(words).directory(this.workingDirectory.toFile())
			.redirectErrorStream(true);
		setOptions(builder, TEST_OPTIONS);
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(command + ": " + output);
		}
	}

	/** Files of the image's working directory. */
	Path files() {
		return this.workingDirectory;
	}

	List<String> entryPoint() {
		return this.entryPoint;
	}

	String user() {
		return this.user;
	}

	/** Starts a program, the entry point or another, as a container would. */
	Process start(List<String> program, Map<String, String> settings, Path log) throws IOException {
		List<String> words = new ArrayList<>(program);
		words.set(0, java());
		String[] ids = this.user.split(":", -1);
		// The tmpfs is the pod's emptyDir; everything else that the user may reach is
		// read-only.
		String script = """
				mount --bind '%1$s' '%1$s' && mount -o remount,bind,ro '%1$s' && mount -t tmpfs -o mode=1777 tmpfs /tmp/.image \
				&& cd '%2$s' && exec setpriv --reuid %3$s --regid %4$s --clear-groups --no-new-privs --bounding-set=-all "$@"
				"""
			.formatted(this.stage, this.workingDirectory, ids[0], ids[1]);
		Files.createDirectories(Path.of("/tmp/.image"));
		List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", script, "sh"));
		command.addAll(words);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(log.toFile()));
		setOptions(builder, TEST_OPTIONS + " " + TEMPORARY_FILES);
		builder.environment().putAll(settings);
		return builder.start();
	}

	/** Sets the environment of the image, with further options of the JVM. */
	private void setOptions(ProcessBuilder builder, String options) {
		builder.environment().putAll(this.environment);
		builder.environment().merge("JAVA_TOOL_OPTIONS", options, (one, other) -> one + " " + other);
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	private static Path within(Path root, String path) {
		return root.resolve(path.replaceFirst("^/", ""));
	}

}
