package dev.mailroom.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.spi.ToolProvider;

/**
 * Archive of the parsed classes of all apps, with which a start of one takes about a
 * third less CPU time. It is recorded in the background by a standalone process; programs
 * that start earlier start without it.
 */
public final class ClassArchive {

	private static final Path DIRECTORY = Path.of("target", "class-archive").toAbsolutePath();

	private static final Path ARCHIVE = DIRECTORY.resolve("mailroom.jsa");

	/**
	 * Class path of the tests; directories are packed, since the JVM archives jars only.
	 */
	static final String CLASS_PATH = packed();

	private static final AtomicBoolean RECORDING = new AtomicBoolean();

	private ClassArchive() {
	}

	/**
	 * Options of the JVM that use the archive, once there is one. The first call starts
	 * the recording.
	 */
	public static List<String> options() {
		if (RECORDING.compareAndSet(false, true)) {
			Thread.ofVirtual().start(ClassArchive::record);
		}
		return Files.exists(ARCHIVE) ? List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds*=off,aot*=off")
				: List.of();
	}

	private static String packed() {
		try {
			Files.createDirectories(DIRECTORY);
			Files.deleteIfExists(ARCHIVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		List<String> entries = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			boolean directory = !entry.isEmpty() && Files.isDirectory(Path.of(entry));
			entries.add(directory ? pack(entry, entries.size()) : entry);
		}
		return String.join(File.pathSeparator, entries);
	}

	private static String pack(String directory, int number) {
		String jar = DIRECTORY.resolve(number + ".jar").toString();
		ToolProvider.findFirst("jar")
			.orElseThrow()
			.run(System.out, System.err, "--create", "--no-compress", "--file", jar, "-C", directory, ".");
		return jar;
	}

	private static void record() {
		Path recorded = DIRECTORY.resolve("recorded.jsa");
		try {
			Path data = Files.createTempDirectory(DIRECTORY, "data");
			Mailroom mailroom = Mailroom.begin(data,
					List.of("-XX:ArchiveClassesAtExit=" + recorded, "-Xlog:cds*=off,aot*=off"), Map.of());
			Runtime.getRuntime().addShutdownHook(new Thread(mailroom.process()::destroy));
			mailroom.ready().stop();
			Files.move(recorded, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (Exception ex) {
			throw new IllegalStateException("The archive of classes was not recorded", ex);
		}
	}

}
