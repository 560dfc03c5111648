package dev.mailroom.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that post the same body repeatedly, each on its own connection and waiting for
 * each response. They use plain sockets to take little CPU time from the programs that
 * are measured.
 */
public final class Load {

	private final int port;

	private final List<byte[]> requests;

	private final int clients;

	private final Collection<UUID> ids;

	/**
	 * Creates a number of clients that post a body to a path.
	 * @param ids receives the ids of the mails that are accepted; safe for several
	 * threads
	 */
	public Load(int port, String path, String key, String body, int clients, Collection<UUID> ids) {
		this(port, List.of(HttpConnection.request(path, key, body)), clients, ids);
	}

	/**
	 * Creates a number of clients that post requests in turn, each beginning with another
	 * one.
	 */
	public Load(int port, List<byte[]> requests, int clients, Collection<UUID> ids) {
		this.ids = ids;
		this.port = port;
		this.requests = requests;
		this.clients = clients;
	}

	/** Posts a number of times in total; fails if a response is not a success. */
	public void post(long times) throws Exception {
		AtomicLong remaining = new AtomicLong(times);
		run(() -> remaining.getAndDecrement() > 0);
	}

	/** Posts for a time and returns the number of successful responses. */
	public long postFor(long nanos) throws Exception {
		long deadline = System.nanoTime() + nanos;
		return run(() -> System.nanoTime() < deadline);
	}

	private long run(Callable<Boolean> more) throws Exception {
		List<Callable<Long>> tasks = new ArrayList<>();
		for (int i = 0; i < this.clients; i++) {
			int first = i;
			tasks.add(() -> client(first, more));
		}
		long posted = 0;
		try (ExecutorService threads = Executors.newFixedThreadPool(this.clients)) {
			for (Future<Long> result : threads.invokeAll(tasks)) {
				posted += result.get();
			}
		}
		return posted;
	}

	private long client(int first, Callable<Boolean> more) throws Exception {
		int posted = 0;
		try (HttpConnection connection = new HttpConnection(this.port, this.ids)) {
			while (more.call()) {
				connection.post(this.requests.get((first + posted) % this.requests.size()));
				posted++;
			}
		}
		return posted;
	}

}
