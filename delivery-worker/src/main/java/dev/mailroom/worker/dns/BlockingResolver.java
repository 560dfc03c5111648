package dev.mailroom.worker.dns;

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
 * Blocking DNS lookups, as the SPF and DKIM libraries require. Must not be called on an
 * event loop.
 */
@Component
public class BlockingResolver {

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(8);

	/** Longer TXT records are ignored: no policy or key has this length. */
	private static final int MAX_TEXT_LENGTH = 8192;

	private final LookupSession session;

	/** Creates a resolver that queries the configured name servers. */
	public BlockingResolver(NameServers servers) {
		this.session = LookupSession.builder().resolver(servers.resolver()).maxRedirects(8).build();
	}

	/**
	 * TXT records of a name, each with its strings joined (RFC 7208 section 3.3).
	 * @throws IOException if the name servers do not answer
	 */
	public List<String> texts(String host) throws IOException {
		return records(host, Type.TXT).stream()
			.filter(TXTRecord.class::isInstance)
			.map((record) -> String.join("", ((TXTRecord) record).getStrings()))
			.filter((text) -> text.length() <= MAX_TEXT_LENGTH)
			.toList();
	}

	/**
	 * Records of a name; empty if there are none.
	 * @throws IOException if the name servers do not answer
	 */
	public List<Record> records(String host, int type) throws IOException {
		try {
			return this.session.lookupAsync(Name.fromString(host, Name.root), type)
				.toCompletableFuture()
				.get(LOOKUP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
				.getRecords();
		}
		catch (TextParseException _) {
			return List.of();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof NoSuchDomainException || ex.getCause() instanceof NoSuchRRSetException) {
				return List.of();
			}
			throw new IOException("The name servers did not answer the query for " + host, ex);
		}
		catch (TimeoutException ex) {
			throw new IOException("The name servers did not answer the query for " + host, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted during a DNS lookup", ex);
		}
	}

}
