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

	/** Microseconds of the threads of a process: JIT, GC, or other. */
	public static Map<String, Long> byPurpose(long pid) {
		Map<String, Long> micros = new HashMap<>();
		try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
			threads.forEach((thread) -> add(micros, thread));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return micros;
	}

	private static void add(Map<String, Long> micros, Path thread) {
		try {
			String stat = Files.readString(thread.resolve("stat"));
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
			long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
			micros.merge(purpose(stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'))), ticks * MICROS_PER_TICK,
					Long::sum);
		}
		catch (IOException _) {
			// The thread has ended.
		}
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
