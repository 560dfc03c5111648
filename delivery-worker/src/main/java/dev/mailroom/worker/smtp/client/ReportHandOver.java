package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.concurrent.TimeoutException;

import dev.mailroom.EmailAddress;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.source.SendingSource;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Hands reports about TLS to their receivers, by mail or over HTTPS. Mails are sent
 * whatever policies demand, or a receiver whose TLS is broken would never learn of it.
 */
@Component
public class ReportHandOver {

	private static final String TRANSPORT = "mx";

	private final MxSettings settings;

	private final MxSessionOpener opener;

	private final MtaSts policies;

	private final LocalSources sources;

	private final Clock clock;

	ReportHandOver(MxSettings settings, MailServers servers, MtaSts policies, Dane dane, TlsSessions counts,
			LocalSources sources, Clock clock) {
		this.settings = settings;
		this.opener = new MxSessionOpener(TRANSPORT, servers, policies, dane, counts, settings);
		this.policies = policies;
		this.sources = sources;
		this.clock = clock;
	}

	/**
	 * Hands a mail over once. Fails with {@link Session.AnswerLost} if the outcome is not
	 * known, and with another error if no server took the mail.
	 * @param message complete lines, each terminated by CRLF
	 */
	public Mono<Outcome> hand(String mailFrom, EmailAddress recipient, byte[] message) {
		return this.opener.openForReport(recipient.domain(), source(), new Transcript(this.clock))
			.timeout(this.settings.openTimeout())
			.onErrorMap(TimeoutException.class,
					(error) -> new IOException("No session with a server of " + recipient.domain(), error))
			.flatMap((session) -> session.hand(new Envelope(mailFrom, recipient.toString()), message)
				.map(HandOverResult::outcome)
				.delayUntil((_) -> session.quit()));
	}

	/**
	 * Posts a report once, and returns the status of the response. Hosts that have an
	 * address that is not public are refused.
	 */
	public Mono<Integer> post(URI url, byte[] content) {
		return this.policies.client()
			.headers((headers) -> headers.set("Content-Type", "application/tlsrpt+gzip")
				.set("Content-Length", content.length))
			.post()
			.uri(url)
			.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(content)))
			.response((response, _) -> Mono.just(response.status().code()))
			.next();
	}

	/** An address of this worker; null for the one that the operating system chooses. */
	private @Nullable SendingSource source() {
		for (String name : this.sources.names()) {
			@Nullable SendingSource source = this.sources.usable(name);
			if (source != null) {
				return source;
			}
		}
		return null;
	}

}
