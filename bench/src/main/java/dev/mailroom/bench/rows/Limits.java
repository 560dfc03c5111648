package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.mailroom.bench.HttpConnection;
import dev.mailroom.bench.Load;
import dev.mailroom.bench.Probe;
import dev.mailroom.bench.Probe.Latencies;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Tenant;

/**
 * A burst to a destination with a rate limit, and one without: leases that are published
 * and write-ahead log that is written for each mail, and the latency of another account
 * while the burst waits (G22).
 */
final class Limits implements Section {

	/** Mails per second of the other account. */
	private static final int OTHER_RATE = 20;

	private static final String WRITTEN = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn";

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.LIMITED_LEASES, Figure.LIMITED_WAL, Figure.UNLIMITED_WAL, Figure.UNDISTURBED_P50,
				Figure.UNDISTURBED_P99, Figure.BESIDE_LIMITED_P50, Figure.BESIDE_LIMITED_P99);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Tenant limited = stack.unsigned("limited.test");
		stack.deliverDirectly(limited);
		Load burst = stack.batches(limited, 4);
		Tenant relayed = stack.unsigned("unlimited.test");
		Load other = stack.batches(relayed, 4);
		Probe<HttpConnection> probe = stack.probe(stack.unsigned("beside-limited.test"));
		Callable<Latencies> timed = () -> probe.run(OTHER_RATE, Duration.ofSeconds(3L * Size.SECONDS));
		return List.of(Step.of((out) -> {
			long mails = Size.LIMITED;
			long before = written(stack);
			other.post(mails / Stack.BATCH);
			out.add(Figure.UNLIMITED_WAL, (double) (written(stack) - before) / mails);
			Latencies alone = timed.call();
			long leases = stack.leases();
			before = written(stack);
			burst.post(mails / Stack.BATCH);
			Latencies beside = timed.call();
			long all = mails + beside.count();
			out.add(Figure.LIMITED_WAL, (double) (written(stack) - before) / all);
			out.add(Figure.LIMITED_LEASES, (double) (stack.leases() - leases) / all);
			out.add(Figure.UNDISTURBED_P50, alone.arrival(50));
			out.add(Figure.UNDISTURBED_P99, alone.arrival(99));
			out.add(Figure.BESIDE_LIMITED_P50, beside.arrival(50));
			out.add(Figure.BESIDE_LIMITED_P99, beside.arrival(99));
		}, Figure.LIMITED_LEASES, Figure.LIMITED_WAL, Figure.UNLIMITED_WAL, Figure.UNDISTURBED_P50,
				Figure.UNDISTURBED_P99, Figure.BESIDE_LIMITED_P50, Figure.BESIDE_LIMITED_P99)
			.inRounds(1));
	}

	/** Bytes of the write-ahead log, once the queue is empty. */
	private static long written(Stack stack) throws Exception {
		stack.awaitSettled();
		return stack.number(WRITTEN);
	}

}
