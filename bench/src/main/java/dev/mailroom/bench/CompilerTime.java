package dev.mailroom.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** CPU time of the threads of a JVM by their purpose, from Linux procfs. */
public final class CompilerTime {

	private static final long MICROS_PER_TICK = 10_000;

	private CompilerTime() {
	}

	/** Microseconds of the JIT compiler's threads of a process. */
	public static long of(long pid) {
		return byPurpose(pid).getOrDefault("JIT", 0L);
	}

	/**
	 * Microseconds of a process: JIT, GC, or other. The last one includes threads that
	 * have ended.
	 */
	public static Map<String, Long> byPurpose(long pid) {
		Path process = Path.of("/proc", Long.toString(pid));
		Map<String, Long> micros = new HashMap<>();
		try (Stream<Path> threads = Files.list(process.resolve("task"))) {
			threads.forEach((thread) -> add(micros, thread));
			micros.merge("other", micros(Files.readString(process.resolve("stat"))), Long::sum);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return micros;
	}

	/** Moves the time of a thread with another purpose to that purpose. */
	private static void add(Map<String, Long> micros, Path thread) {
		try {
			String stat = Files.readString(thread.resolve("stat"));
			String purpose = purpose(stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
			micros.merge(purpose, micros(stat), Long::sum);
			micros.merge("other", -micros(stat), Long::sum);
		}
		catch (IOException _) {
			// The thread has ended.
		}
	}

	private static long micros(String stat) {
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
		return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
	}

	/** The kernel keeps the first 15 characters of a thread's name. */
	private static String purpose(String name) {
		if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
			return "JIT";
		}
		return (name.startsWith("VM Thread") || name.startsWith("GC Thread") || name.startsWith("G1 ")) ? "GC"
				: "other";
	}

}
