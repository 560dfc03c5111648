package dev.mailroom.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Diagnostic commands of a JVM, by the JDK's jcmd. */
public final class Heap {

	/** Lines of the serial, parallel and G1 collectors. */
	private static final Pattern USED = Pattern
		.compile("(?m)^ *(?:DefNew|Tenured|PSYoungGen|ParOldGen|garbage-first heap)" + ".*used (\\d+)K");

	private Heap() {
	}

	/** Megabytes in use after a full garbage collection. */
	public static double liveMegabytes(long pid) throws IOException, InterruptedException {
		jcmd(pid, "GC.run");
		String info = jcmd(pid, "GC.heap_info");
		Matcher used = USED.matcher(info);
		long kilobytes = 0;
		while (used.find()) {
			kilobytes += Long.parseLong(used.group(1));
		}
		if (kilobytes == 0) {
			throw new IOException("Unknown format: " + info);
		}
		return kilobytes * 1024 / 1e6;
	}

	/** Runs a diagnostic command and returns its output. */
	public static String jcmd(long pid, String... command) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(pid));
		builder.command().addAll(List.of(command));
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(output);
		}
		return output;
	}

}
