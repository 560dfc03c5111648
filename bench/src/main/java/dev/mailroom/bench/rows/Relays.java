package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.bench.Haraka;
import dev.mailroom.bench.Postfix;
import dev.mailroom.bench.Probe;
import dev.mailroom.bench.Probe.Latencies;
import dev.mailroom.bench.Sample;
import dev.mailroom.bench.SmtpClient;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;

/** Postfix and Haraka with the same sink, for comparison (G3 to G7). */
final class Relays implements Section {

	private static final EnumSet<Figure> POSTFIX = EnumSet.of(Figure.POSTFIX, Figure.POSTFIX_P50, Figure.POSTFIX_P99);

	private static final EnumSet<Figure> HARAKA = EnumSet.of(Figure.HARAKA, Figure.HARAKA_P50, Figure.HARAKA_P99);

	private final List<Step> steps = new ArrayList<>();

	@Override
	public Set<Figure> figures() {
		EnumSet<Figure> all = EnumSet.copyOf(POSTFIX);
		all.addAll(HARAKA);
		return all;
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		if (POSTFIX.stream().anyMatch(wanted::contains)) {
			if (Postfix.isInstalled()) {
				Postfix postfix = stack.resources().add(new Postfix(stack.directory(), stack.sink()));
				add(stack, new Relay(postfix.port(), postfix::relay), Figure.POSTFIX, Figure.POSTFIX_P50,
						Figure.POSTFIX_P99);
			}
			else {
				missing(POSTFIX, "Postfix is not installed, or this user is not root");
			}
		}
		if (HARAKA.stream().anyMatch(wanted::contains)) {
			haraka(stack);
		}
		return this.steps;
	}

	/** Haraka that cannot be started does not fail the run. */
	private void haraka(Stack stack) throws Exception {
		String reason = Postfix.isInstalled() ? Haraka.install() : "smtp-source of Postfix is not installed";
		if (reason.isEmpty()) {
			try {
				Haraka haraka = stack.resources().add(new Haraka(stack.directory(), stack.sink()));
				add(stack, new Relay(haraka.port(), haraka::relay), Figure.HARAKA, Figure.HARAKA_P50,
						Figure.HARAKA_P99);
				return;
			}
			catch (IllegalStateException | AssertionError ex) {
				reason = "Haraka has not started: " + ex.getMessage();
			}
		}
		missing(HARAKA, reason);
	}

	private void missing(EnumSet<Figure> figures, String reason) {
		System.out.println(reason + ": skipped");
		this.steps.add(new Step(figures, 1, (out) -> out.missing(figures, reason)));
	}

	private void add(Stack stack, Relay relay, Figure rate, Figure median, Figure p99) {
		this.steps.add(Step
			.of((out) -> out.add(rate, stack.ledger().relayed(relay.throughput.relay(600L * Size.SECONDS))), rate));
		Probe<SmtpClient> probe = new Probe<>(() -> new SmtpClient(relay.port), SmtpClient::send, stack.sink());
		Duration time = Duration.ofSeconds(2L * Size.SECONDS);
		this.steps.add(Step.of((out) -> {
			Latencies latencies = probe.run(Latency.STEADY_RATE, time);
			stack.ledger().relayed(latencies.count());
			out.add(median, latencies.arrival(50));
			out.add(p99, latencies.arrival(99));
		}, median, p99));
	}

	private record Relay(int port, Throughput throughput) {
	}

	/** Relays a number of mails. */
	private interface Throughput {

		Sample relay(long mails) throws Exception;

	}

}
