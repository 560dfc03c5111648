package dev.mailroom.worker.inbound;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.mailroom.domain.NameServers;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

import org.springframework.stereotype.Component;

/**
 * Asks DNS and waits for the answer: the libraries that judge mail are written that way.
 * Never call it on an event loop.
 */
@Component
class BlockingResolver {

	private static final Duration LONGEST = Duration.ofSeconds(8);

	/**
	 * A record that is longer is no policy and no key, but an attempt to keep us busy.
	 */
	private static final int LONGEST_TEXT = 8192;

	private final LookupSession session;

	BlockingResolver(NameServers servers) {
		this.session = LookupSession.builder().resolver(servers.resolver()).maxRedirects(8).build();
	}

	/** The TXT records of a name, each with its strings joined (RFC 7208 3.3). */
	List<String> texts(String host) throws IOException {
		return records(host, Type.TXT).stream()
			.filter(TXTRecord.class::isInstance)
			.map((record) -> String.join("", ((TXTRecord) record).getStrings()))
			.filter((text) -> text.length() <= LONGEST_TEXT)
			.toList();
	}

	/**
	 * The records of a name; empty where there are none.
	 * @throws IOException where nobody could say
	 */
	List<Record> records(String host, int type) throws IOException {
		try {
			return this.session.lookupAsync(Name.fromString(host, Name.root), type)
				.toCompletableFuture()
				.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
				.getRecords();
		}
		catch (TextParseException _) {
			return List.of();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof NoSuchDomainException || ex.getCause() instanceof NoSuchRRSetException) {
				return List.of();
			}
			throw new IOException("The name servers did not answer for " + host, ex);
		}
		catch (TimeoutException ex) {
			throw new IOException("The name servers did not answer for " + host, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Stopped while waiting for name servers", ex);
		}
	}

}
