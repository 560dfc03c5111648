package dev.mailroom.domain;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Asks DNS, without a cache: whoever has just published a record wants it seen. */
@Component
class Dns {

	private static final Duration LONGEST = Duration.ofSeconds(8);

	private final LookupSession session;

	Dns(NameServers servers) {
		this.session = LookupSession.builder().resolver(servers.resolver()).maxRedirects(8).build();
	}

	/** The TXT records of a name, each with its strings joined (RFC 7208 3.3). */
	Mono<Answer> txt(String host) {
		return ask(host, Type.TXT);
	}

	/** The hosts of a name's MX records, lower-case and without the dot at the end. */
	Mono<Answer> mx(String host) {
		return ask(host, Type.MX);
	}

	private Mono<Answer> ask(String host, int type) {
		return Mono.fromCompletionStage(() -> this.session.lookupAsync(name(host), type))
			.timeout(LONGEST)
			.<Answer>map((result) -> new Answer.Found(result.getRecords().stream().map(Dns::text).toList()))
			.onErrorResume((error) -> Mono.just(nothing(error) ? new Answer.Found(List.of())
					: new Answer.Unknown("The name servers did not answer for " + host + "; it is looked up again")));
	}

	private static boolean nothing(Throwable error) {
		Throwable cause = (error.getCause() != null) ? error.getCause() : error;
		return error instanceof NoSuchDomainException || error instanceof NoSuchRRSetException
				|| cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException;
	}

	private static String text(Record record) {
		return switch (record) {
			case TXTRecord txt -> String.join("", txt.getStrings());
			case MXRecord mx -> mx.getTarget().toString(true).toLowerCase(Locale.ROOT);
			default -> record.rdataToString();
		};
	}

	private static Name name(String host) {
		try {
			return Name.fromString(host, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException("Not a name: " + host, ex);
		}
	}

	/** What DNS says of a name. */
	sealed interface Answer {

		/** All there is; empty where there is nothing. */
		record Found(List<String> values) implements Answer {
		}

		/** Nobody could say. */
		record Unknown(String reason) implements Answer {
		}

	}

}
