package dev.mailroom.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** CPU time and memory of a process and its descendants, from Linux procfs. */
public final class Cpu {

	/** Unit of CPU times in /proc/pid/stat (USER_HZ): 1/100 s. */
	private static final long MICROS_PER_TICK = 10_000;

	private Cpu() {
	}

	/** User and system CPU time in microseconds, including children that have ended. */
	public static long of(ProcessHandle root) {
		return Stream.concat(Stream.of(root), root.descendants()).mapToLong(Cpu::own).sum();
	}

	private static long own(ProcessHandle process) {
		try {
			String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
			// Fields after the name, which may contain spaces; the first is the state
			// (see proc(5)).
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
			long ticks = 0;
			for (int i = 11; i <= 14; i++) {
				ticks += Long.parseLong(fields[i]);
			}
			return ticks * MICROS_PER_TICK;
		}
		catch (IOException _) {
			// The process has ended and its parent accounts for its time.
			return 0;
		}
	}

	/** Peak resident memory of a process in KiB. */
	public static long peakMemory(ProcessHandle process) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
			return lines.filter((line) -> line.startsWith("VmHWM:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.findFirst()
				.orElse(0);
		}
	}

}
