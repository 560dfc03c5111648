package dev.mailroom.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.mailroom.bench.CompilerTime;
import dev.mailroom.bench.Heap;
import dev.mailroom.bench.Stack;
import dev.mailroom.process.Program;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * CPU time per delivered mail by stage: of the API and the worker from samples of the
 * JDK's Flight Recorder, of PostgreSQL from pg_stat_statements. It costs some CPU time
 * itself, so that a run with it is not comparable with others.
 */
public final class Profile {

	private static final String STATEMENTS = """
			select left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as statement, calls, rows,
			       total_exec_time / sum(total_exec_time) over () as share
			  from pg_stat_statements
			 where dbid = (select oid from pg_database where datname = current_database())
			 order by total_exec_time desc limit 15
			""";

	private final Stack stack;

	private final Map<String, Program> programs = new LinkedHashMap<>();

	private final Map<String, Map<String, Long>> before = new LinkedHashMap<>();

	private final long databaseBefore;

	private final long mailsBefore;

	/** Begins to record. */
	public Profile(Stack stack) throws Exception {
		this.stack = stack;
		this.programs.put("API", stack.api());
		this.programs.put("worker", stack.worker());
		stack.database().run(Stack.PRODUCT, "create extension pg_stat_statements");
		for (Map.Entry<String, Program> program : this.programs.entrySet()) {
			long pid = program.getValue().pid();
			Heap.jcmd(pid, "JFR.start", "name=figures", "settings=none", "+jdk.CPUTimeSample#enabled=true",
					"+jdk.CPUTimeSample#throttle=5ms");
			this.before.put(program.getKey(), CompilerTime.byPurpose(pid));
		}
		this.databaseBefore = stack.database().cpu();
		this.mailsBefore = delivered();
		stack.database().run(Stack.PRODUCT, "select pg_stat_statements_reset()");
	}

	/** Mails at the sink without those of other relays. */
	private long delivered() {
		return this.stack.sink().accepted() - this.stack.ledger().relayed();
	}

	/** Ends the recording and prints the CPU time of each stage. */
	public void print() throws Exception {
		long mails = Math.max(1, delivered() - this.mailsBefore);
		double database = (double) (this.stack.database().cpu() - this.databaseBefore) / mails;
		System.out.printf("%nCPU time by stage, microseconds per delivered mail (%d mails)%n", mails);
		for (Map.Entry<String, Program> program : this.programs.entrySet()) {
			print(program.getKey(), program.getValue().pid(), mails);
		}
		System.out.printf("PostgreSQL: %.0f, by execution time of its statements%n", database);
		try (Connection connection = this.stack.database().connect(Stack.PRODUCT);
				ResultSet result = connection.createStatement().executeQuery(STATEMENTS)) {
			while (result.next()) {
				System.out.printf("  %7.1f  %8d calls %9d rows  %s%n", result.getDouble("share") * database,
						result.getLong("calls"), result.getLong("rows"), result.getString("statement"));
			}
		}
		catch (SQLException ex) {
			System.out.println("  not available: " + ex.getMessage());
		}
	}

	private void print(String name, long pid, long mails) throws Exception {
		Map<String, Long> micros = CompilerTime.byPurpose(pid);
		this.before.getOrDefault(name, Map.of()).forEach((purpose, value) -> micros.merge(purpose, -value, Long::sum));
		Path file = this.stack.directory().resolve(name + ".jfr");
		Heap.jcmd(pid, "JFR.stop", "name=figures", "filename=" + file);
		Map<Stage, Long> samples = samples(file);
		long all = Math.max(1, samples.values().stream().mapToLong(Long::longValue).sum());
		System.out.printf("%s: %.0f, of that JIT %.0f, GC %.0f%n", name,
				(double) micros.values().stream().mapToLong(Long::longValue).sum() / mails,
				(double) micros.getOrDefault("JIT", 0L) / mails, (double) micros.getOrDefault("GC", 0L) / mails);
		double rest = (double) micros.getOrDefault("other", 0L) / mails;
		samples.entrySet()
			.stream()
			.sorted(Map.Entry.<Stage, Long>comparingByValue().reversed())
			.forEach((stage) -> System.out.printf("  %7.1f  %s%n", rest * stage.getValue() / all,
					stage.getKey().label()));
	}

	private static Map<Stage, Long> samples(Path file) throws IOException {
		Map<Stage, Long> samples = new EnumMap<>(Stage.class);
		try (RecordingFile recording = new RecordingFile(file)) {
			while (recording.hasMoreEvents()) {
				RecordedEvent event = recording.readEvent();
				if (event.getEventType().getName().equals("jdk.CPUTimeSample") && event.getStackTrace() != null) {
					samples.merge(Stage.of(event.getStackTrace()
						.getFrames()
						.stream()
						.map((frame) -> frame.getMethod().getType().getName())
						.toList()), 1L, Long::sum);
				}
			}
		}
		return samples;
	}

}
