package dev.mailroom.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.process.Database;

/** PostgreSQL's load program pgbench, as a reference for commits per second. */
public final class Pgbench {

	private static final Pattern TRANSACTIONS = Pattern.compile("number of transactions actually processed: (\\d+)");

	private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without");

	private final Database database;

	private final Path script;

	private final int clients;

	private final int rows;

	/**
	 * Creates a run of a script.
	 * @param clients number of concurrent clients
	 * @param rows number of rows per transaction
	 */
	public Pgbench(Database database, Path directory, String sql, int clients, int rows) throws IOException {
		this.database = database;
		this.script = Files.writeString(directory.resolve("pgbench-" + rows + ".sql"), sql);
		this.clients = clients;
		this.rows = rows;
	}

	/** Whether pgbench is installed. */
	public static boolean isInstalled() {
		return Files.isExecutable(Path.of("/usr/bin/pgbench"));
	}

	public Sample run(int seconds) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(List.of("/usr/bin/pgbench", "-n", "-h", "127.0.0.1", "-p",
				Integer.toString(this.database.port()), "-U", "postgres", "-c", Integer.toString(this.clients), "-j",
				"2", "-M", "prepared", "-T", Integer.toString(seconds), "-f", this.script.toString(), "postgres"));
		builder.environment().putAll(Map.of("PGPASSWORD", "postgres"));
		long before = this.database.cpu();
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(output);
		}
		long cpu = this.database.cpu() - before;
		long transactions = Long.parseLong(first(TRANSACTIONS, output));
		if (transactions == 0) {
			throw new IOException("pgbench made no commit in " + seconds + " s");
		}
		double measuredSeconds = transactions / Double.parseDouble(first(RATE, output));
		return new Sample(transactions * this.rows, (long) (measuredSeconds * 1e9), Map.of(Sample.DATABASE, cpu));
	}

	private static String first(Pattern pattern, String output) {
		Matcher matcher = pattern.matcher(output);
		if (!matcher.find()) {
			throw new IllegalStateException("pgbench printed no match of " + pattern + ":\n" + output);
		}
		return matcher.group(1);
	}

}
