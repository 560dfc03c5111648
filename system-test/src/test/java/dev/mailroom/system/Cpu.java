package dev.mailroom.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The CPU time that a process and all that it has started have taken, as Linux tells. */
public final class Cpu {

	/** A tick of the kernel's clock for programs: 1/100 s on every Linux there is. */
	private static final long MICROS_PER_TICK = 10_000;

	private Cpu() {
	}

	/** Microseconds, user and system, the ended children's included. */
	public static long of(ProcessHandle root) {
		return Stream.concat(Stream.of(root), root.descendants()).mapToLong(Cpu::own).sum();
	}

	private static long own(ProcessHandle process) {
		try {
			String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
			// Behind the name, which may hold anything: state is the first field of
			// proc(5).
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
			long ticks = 0;
			for (int i = 11; i <= 14; i++) {
				ticks += Long.parseLong(fields[i]);
			}
			return ticks * MICROS_PER_TICK;
		}
		catch (IOException _) {
			// It has ended: its parent has its time now.
			return 0;
		}
	}

	/** The resident memory of one process in KiB, as its highest so far. */
	public static long peakMemory(ProcessHandle process) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
			return lines.filter((line) -> line.startsWith("VmHWM:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.findFirst()
				.orElse(0);
		}
	}

}
