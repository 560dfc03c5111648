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
import dev.mailroom.bench.Receiver;
import dev.mailroom.bench.Sample;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Tenant;

/**
 * Webhook calls of one account while the endpoint of another account answers, and while
 * it hangs; and the rate of the other account's mail (G17).
 */
final class Webhooks implements Section {

	private static final int RATE = 20;

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.WEBHOOK_P99, Figure.WEBHOOK_HANGING_P99, Figure.WEBHOOK_RATE,
				Figure.WEBHOOK_HANGING_RATE);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Tenant healthy = stack.tenant("healthy.test");
		Tenant hanging = stack.tenant("hanging.test");
		Receiver receiver = stack.resources().add(new Receiver(stack, healthy, false));
		return List.of(
				Step.of((out) -> measure(stack, receiver, healthy, hanging, false, out), Figure.WEBHOOK_P99,
						Figure.WEBHOOK_RATE),
				Step.of((out) -> measure(stack, receiver, healthy, hanging, true, out), Figure.WEBHOOK_HANGING_P99,
						Figure.WEBHOOK_HANGING_RATE));
	}

	private static void measure(Stack stack, Receiver receiver, Tenant healthy, Tenant other, boolean hangs,
			Recorder out) throws Exception {
		try (Receiver others = new Receiver(stack, other, hangs)) {
			receiver.clear();
			Duration time = Duration.ofSeconds(3L * Size.SECONDS);
			Probe<HttpConnection> beside = stack.probe(other);
			int events;
			try (ExecutorService neighbour = Executors.newSingleThreadExecutor()) {
				Future<?> sending = neighbour.submit(() -> beside.run(RATE, time));
				events = stack.probe(healthy).run(RATE, time).count();
				sending.get();
			}
			out.add(hangs ? Figure.WEBHOOK_HANGING_P99 : Figure.WEBHOOK_P99, receiver.awaitMillis(events, 99));
			Load batches = stack.batches(other, 4);
			Sample sample = stack.deliver(other, batches, 25L * Size.SECONDS, Stack.BATCH);
			out.add(hangs ? Figure.WEBHOOK_HANGING_RATE : Figure.WEBHOOK_RATE, sample);
		}
	}

}
