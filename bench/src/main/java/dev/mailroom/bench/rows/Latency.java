package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.bench.HttpConnection;
import dev.mailroom.bench.Load;
import dev.mailroom.bench.Probe;
import dev.mailroom.bench.Probe.Latencies;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Tenant;

/**
 * Latency of single mails at a steady rate (G7), at half of the peak (G8), and beside
 * another account's burst (G15, G16).
 */
final class Latency implements Section {

	/** Mails per second. */
	static final int STEADY_RATE = 50;

	private static final int QUIET_RATE = 20;

	private static final int CLIENTS = 64;

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.STEADY_P50, Figure.STEADY_P99, Figure.HALF_PEAK, Figure.HALF_PEAK_P99,
				Figure.QUIET_P50, Figure.QUIET_P99, Figure.QUIET_ACCEPT_P99, Figure.BESIDE_P50, Figure.BESIDE_P99,
				Figure.BESIDE_ACCEPT_P99, Figure.BURST_LEFT);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Tenant quiet = stack.tenant("quiet.test");
		Tenant busy = stack.tenant("busy.test");
		Probe<HttpConnection> probe = stack.probe(quiet);
		Load single = stack.singles(quiet, CLIENTS);
		Load burst = stack.batches(busy, 4);
		return List.of(Step.of((out) -> {
			Latencies latencies = probe.run(STEADY_RATE, Duration.ofSeconds(2L * Size.SECONDS));
			out.add(Figure.STEADY_P50, latencies.arrival(50));
			out.add(Figure.STEADY_P99, latencies.arrival(99));
		}, Figure.STEADY_P50, Figure.STEADY_P99), Step.of((out) -> {
			long posted = single.postFor(Size.SECONDS * 1_000_000_000L);
			stack.awaitSettled(quiet);
			double half = (double) posted / Size.SECONDS / 2;
			Latencies latencies = probe.run(half, Duration.ofSeconds(Size.SECONDS));
			out.add(Figure.HALF_PEAK, half);
			out.add(Figure.HALF_PEAK_P99, latencies.accept(99));
		}, Figure.HALF_PEAK, Figure.HALF_PEAK_P99),
				Step.of((out) -> besideBurst(stack, probe, burst, busy, out), Figure.QUIET_P50, Figure.QUIET_P99,
						Figure.QUIET_ACCEPT_P99, Figure.BESIDE_P50, Figure.BESIDE_P99, Figure.BESIDE_ACCEPT_P99,
						Figure.BURST_LEFT));
	}

	private static void besideBurst(Stack stack, Probe<?> probe, Load burst, Tenant busy, Recorder out)
			throws Exception {
		Duration time = Duration.ofSeconds(3L * Size.SECONDS);
		Latencies alone = probe.run(QUIET_RATE, time);
		long before = stack.sink().accepted();
		try (ExecutorService neighbour = Executors.newSingleThreadExecutor()) {
			Future<?> posting = neighbour.submit(() -> {
				burst.post(Size.BURST / Stack.BATCH);
				return null;
			});
			Latencies beside = probe.run(QUIET_RATE, time);
			long left = before + Size.BURST + beside.count() - stack.sink().accepted();
			posting.get();
			out.add(Figure.QUIET_P50, alone.arrival(50));
			out.add(Figure.QUIET_P99, alone.arrival(99));
			out.add(Figure.QUIET_ACCEPT_P99, alone.accept(99));
			out.add(Figure.BESIDE_P50, beside.arrival(50));
			out.add(Figure.BESIDE_P99, beside.arrival(99));
			out.add(Figure.BESIDE_ACCEPT_P99, beside.accept(99));
			out.add(Figure.BURST_LEFT, (double) left);
		}
		stack.awaitSettled(busy);
	}

}
