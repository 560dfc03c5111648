package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.Await;
import dev.mailroom.bench.Load;
import dev.mailroom.bench.Meter;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Tenant;

/** Drain of a backlog that was accepted during an outage of the sink (G21). */
final class Backlog implements Section {

	private static final Duration TIMEOUT = Duration.ofMinutes(20);

	private static final Duration INTERVAL = Duration.ofMillis(5);

	/**
	 * Share of the backlog that is timed. The rest are mails that were tried during the
	 * outage and wait for their next attempt.
	 */
	private static final double TIMED = 0.9;

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.DRAIN);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Tenant tenant = stack.unsigned("backlog.test");
		Load batches = stack.batches(tenant, 4);
		return List.of(Step.of((out) -> measure(stack, batches, out), Figure.DRAIN).inRounds(1));
	}

	private static void measure(Stack stack, Load batches, Recorder out) throws Exception {
		stack.sink().away(true);
		try {
			batches.post(Size.BACKLOG / Stack.BATCH);
		}
		finally {
			stack.sink().away(false);
		}
		long before = stack.sink().accepted();
		Await.until("the first mail arrives", TIMEOUT, INTERVAL, () -> stack.sink().accepted() > before);
		Meter meter = stack.meter();
		Meter.Reading reading = meter.read();
		long start = System.nanoTime();
		long first = stack.sink().accepted();
		long goal = (long) (Size.BACKLOG * TIMED);
		Await.until("the timed part of the backlog arrives", TIMEOUT, INTERVAL,
				() -> stack.sink().accepted() >= before + goal);
		out.add(Figure.DRAIN, meter.since(reading, before + goal - first, System.nanoTime() - start));
		if (!Size.QUICK) {
			stack.awaitSettled();
		}
	}

}
