package dev.mailroom.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.mailroom.Await;

/**
 * Sends timed mails at a constant rate, however long the responses take. Times are
 * counted from the moment at which a mail was to be sent.
 *
 * Each run opens connections of its own, since servers close those that wait between two
 * runs.
 *
 * @param <C> type of its connections
 */
public final class Probe<C extends AutoCloseable> {

	private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(5);

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	private final LinkedBlockingDeque<C> connections = new LinkedBlockingDeque<>();

	private final Connector<C> connector;

	private final Sender<C> sender;

	private final Sink sink;

	public Probe(Connector<C> connector, Sender<C> sender, Sink sink) {
		this.connector = connector;
		this.sender = sender;
		this.sink = sink;
	}

	/** Sends mails for a time and waits until all have arrived. */
	public Latencies run(double perSecond, Duration time) throws Exception {
		Latencies latencies = post(perSecond, time);
		Await.until("all timed mails arrive", DELIVERY_TIMEOUT,
				() -> this.sink.times().keySet().containsAll(latencies.recipients()));
		latencies.delivered(this.sink);
		return latencies;
	}

	/** Sends mails for a time without waiting for their arrival. */
	public Latencies post(double perSecond, Duration time) throws Exception {
		int count = (int) (perSecond * time.toMillis() / 1000);
		Latencies latencies = new Latencies(count);
		List<Future<?>> sending = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			long start = System.nanoTime();
			for (int i = 0; i < count; i++) {
				long due = start + (long) (i * 1e9 / perSecond);
				for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
					LockSupport.parkNanos(left);
				}
				int number = i;
				String recipient = Sink.TIMED + "" + NUMBERS.incrementAndGet() + "@to.test";
				latencies.begun(number, recipient, due);
				sending.add(threads.submit(() -> send(latencies, number, recipient)));
			}
			for (Future<?> each : sending) {
				each.get();
			}
		}
		for (C connection = this.connections.poll(); connection != null; connection = this.connections.poll()) {
			connection.close();
		}
		return latencies;
	}

	private Void send(Latencies latencies, int number, String recipient) throws Exception {
		C idle = this.connections.pollFirst();
		C connection = (idle != null) ? idle : this.connector.connect();
		this.sender.send(connection, recipient);
		latencies.accepted(number);
		this.connections.addFirst(connection);
		return null;
	}

	/** Opens a connection. */
	public interface Connector<C> {

		C connect() throws Exception;

	}

	/** Sends one mail over a connection. */
	public interface Sender<C> {

		void send(C connection, String recipient) throws Exception;

	}

	/** Times of a run. */
	public static final class Latencies {

		private final String[] recipients;

		private final long[] begun;

		private final long[] accepted;

		private final long[] delivered;

		private Latencies(int count) {
			this.recipients = new String[count];
			this.begun = new long[count];
			this.accepted = new long[count];
			this.delivered = new long[count];
		}

		private void begun(int number, String recipient, long nanos) {
			this.recipients[number] = recipient;
			this.begun[number] = nanos;
		}

		private void accepted(int number) {
			this.accepted[number] = System.nanoTime() - this.begun[number];
		}

		private void delivered(Sink sink) {
			for (int i = 0; i < this.recipients.length; i++) {
				this.delivered[i] = sink.times().getOrDefault(this.recipients[i], 0L) - this.begun[i];
			}
		}

		private List<String> recipients() {
			return List.of(this.recipients);
		}

		/** Number of mails. */
		public int count() {
			return this.recipients.length;
		}

		/** Milliseconds until the response, at a percentile. */
		public double accept(double percent) {
			return percentile(this.accepted, percent);
		}

		/** Milliseconds until the server accepted the mail, at a percentile. */
		public double arrival(double percent) {
			return percentile(this.delivered, percent);
		}

		private static double percentile(long[] nanos, double percent) {
			long[] sorted = nanos.clone();
			Arrays.sort(sorted);
			return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))] / 1e6;
		}

	}

}
