package dev.mailroom.worker.address;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.mailroom.domain.NameServers;
import dev.mailroom.worker.dns.BlockingResolver;
import org.xbill.DNS.Record;

/**
 * Lookups one after another, at most five a second: operators of block lists refuse
 * clients that ask more, and the name servers have mail to serve.
 */
final class PacedResolver extends BlockingResolver {

	/** Time between the beginnings of two lookups. */
	static final Duration INTERVAL = Duration.ofMillis(200);

	private final Duration interval;

	private long next = System.nanoTime();

	PacedResolver(NameServers servers, Duration interval) {
		super(servers);
		this.interval = interval;
	}

	@Override
	public synchronized List<Record> records(String host, int type) throws IOException {
		try {
			TimeUnit.NANOSECONDS.sleep(this.next - System.nanoTime());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted before a DNS lookup", ex);
		}
		this.next = System.nanoTime() + this.interval.toNanos();
		return super.records(host, type);
	}

}
