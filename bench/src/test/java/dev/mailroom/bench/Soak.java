package dev.mailroom.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mailroom.bench.Probe.Latencies;
import dev.mailroom.process.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mails at half of the peak rate for {@code -Dsoak.minutes}. Prints a row for each
 * minute: latencies, the queue in the middle of the minute, heaps, dead rows and sizes.
 * The test fails if mail counts do not add up.
 */
class Soak {

	private static final int MINUTES = Integer.getInteger("soak.minutes", 60);

	/** Mails per second; half of the peak, measured before, if 0. */
	private static final int RATE = Integer.getInteger("soak.rate", 0);

	private static final int WARM_UP_CYCLES = 40;

	private static final int CLIENTS = 64;

	private static final int POSTS = 2_000;

	/** Minutes between two full collections, as they stop the programs for a moment. */
	private static final int HEAP_INTERVAL = 5;

	private static final String DEAD = "select sum(n_dead_tup) from pg_stat_user_tables";

	private static final String QUEUE_SIZE = "select pg_total_relation_size('queue') / 1024";

	private static final String DATABASE_SIZE = "select pg_database_size(current_database()) / 1048576";

	private static final String WAITING = """
			select count(*) || ' / ' || coalesce(round(extract(epoch from now() - min(due_at)) * 1000), 0)
			  from queue where due_at <= now()""";

	@TempDir
	Path directory;

	@Test
	void mailsAtHalfOfThePeakRate() throws Exception {
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
		try (Resources resources = new Resources()) {
			Stack stack = new Stack(this.directory, resources);
			Tenant tenant = stack.tenant("soak.test");
			int rate = (RATE > 0) ? RATE : (int) (peak(stack, tenant) / 2);
			System.out.printf(Locale.ROOT, "%d mails per second%n", rate);
			System.out.printf(Locale.ROOT,
					"| minute | accepted p50, p99 (ms) | arrived p50, p99 (ms) | due in the queue, oldest (ms) "
							+ "| live heap API, worker (MB) | resident API, worker (MB) | dead rows | queue (KiB) "
							+ "| database (MiB) | CPU µs per mail |%n|---|---|---|---|---|---|---|---|---|---|%n");
			Probe<HttpConnection> probe = stack.probe(tenant);
			for (int minute = 1; minute <= MINUTES; minute++) {
				minute(stack, probe, rate, minute);
			}
			stack.awaitSettled();
			assertThat(stack.ledger().differences(Stack.PRODUCT, stack.sink())).isEmpty();
		}
	}

	/** Mails delivered per second by warm programs. */
	private static double peak(Stack stack, Tenant tenant) throws Exception {
		Load singles = stack.singles(tenant, CLIENTS);
		for (int i = 0; i < WARM_UP_CYCLES; i++) {
			stack.deliver(tenant, singles, POSTS, 1);
		}
		double peak = stack.deliver(tenant, singles, 5 * POSTS, 1).perSecond();
		System.out.printf(Locale.ROOT, "peak: %.0f mails per second%n", peak);
		return peak;
	}

	private static void minute(Stack stack, Probe<HttpConnection> probe, int rate, int minute) throws Exception {
		Meter meter = stack.meter();
		Meter.Reading before = meter.read();
		long start = System.nanoTime();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Latencies> sending = threads.submit(() -> probe.run(rate, Duration.ofMinutes(1)));
			Thread.sleep(Duration.ofSeconds(30));
			String waiting = stack.text(WAITING);
			Latencies latencies = sending.get();
			stack.awaitSettled();
			Sample sample = meter.since(before, latencies.count(), System.nanoTime() - start);
			System.out.printf(Locale.ROOT,
					"| %d | %.1f, %.1f | %.1f, %.1f | %s | %s | %d, %d | %d | %d | %d | %.0f |%n", minute,
					latencies.accept(50), latencies.accept(99), latencies.arrival(50), latencies.arrival(99), waiting,
					(minute % HEAP_INTERVAL == 1) ? heaps(stack) : "", resident(stack.api().pid()),
					resident(stack.worker().pid()), stack.number(DEAD), stack.number(QUEUE_SIZE),
					stack.number(DATABASE_SIZE), sample.cpuEach());
		}
	}

	private static String heaps(Stack stack) throws IOException, InterruptedException {
		return String.format(Locale.ROOT, "%.0f, %.0f", Heap.liveMegabytes(stack.api().pid()),
				Heap.liveMegabytes(stack.worker().pid()));
	}

	/** Resident memory of a process, in megabytes. */
	private static long resident(long pid) throws IOException {
		return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))
			.stream()
			.filter((line) -> line.startsWith("VmRSS:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
			.findFirst()
			.orElseThrow();
	}

}
