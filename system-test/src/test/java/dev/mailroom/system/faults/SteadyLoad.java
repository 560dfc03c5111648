package dev.mailroom.system.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Clients that post single mails and batches through all instances of the API until they
 * are stopped.
 */
final class SteadyLoad implements AutoCloseable {

	private static final int CLIENTS = 4;

	/** Mails of a request of every other client. */
	private static final int BATCH = 3;

	/** Time between two requests of a client. */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

	private final List<Future<?>> ends = new ArrayList<>();

	private final Run run;

	private volatile boolean stopped;

	SteadyLoad(Testbed testbed, Run run) {
		this.run = run;
		for (int i = 0; i < CLIENTS; i++) {
			RetryingClient client = new RetryingClient(testbed, i);
			Supplier<String> requests = (i % 2 == 0) ? run::nextMail : () -> run.nextBatch(BATCH);
			this.ends.add(this.clients.submit(() -> post(client, requests)));
		}
	}

	private Void post(RetryingClient client, Supplier<String> requests) throws Exception {
		try (client) {
			while (!this.stopped) {
				this.run.accepted(client.post(requests.get()));
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
		return null;
	}

	/** Waits until the last requests are accepted. */
	void stop() throws Exception {
		this.stopped = true;
		for (Future<?> end : this.ends) {
			end.get();
		}
	}

	@Override
	public void close() {
		this.stopped = true;
		this.clients.close();
	}

}
