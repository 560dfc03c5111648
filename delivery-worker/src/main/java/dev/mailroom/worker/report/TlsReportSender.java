package dev.mailroom.worker.report;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress;
import dev.mailroom.Parallel;
import dev.mailroom.domain.NameServers;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.tlspolicy.StsPolicies;
import dev.mailroom.tlsreport.OutgoingTlsReports;
import dev.mailroom.tlsreport.OutgoingTlsReports.Attempt;
import dev.mailroom.tlsreport.OutgoingTlsReports.Due;
import dev.mailroom.tlsreport.OutgoingTlsReports.Result;
import dev.mailroom.worker.compose.TlsReportMail;
import dev.mailroom.worker.smtp.client.ReportHandOver;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.netty.http.client.PrematureCloseException;

import org.springframework.stereotype.Component;

/**
 * Sends one report about TLS of a day to each domain of recipients that asks for it in
 * the TXT record {@code _smtp._tls} (RFC 8460): to the first of its addresses that takes
 * it, by mail or HTTPS.
 */
@Component
public class TlsReportSender {

	/** Limit on a request over HTTPS. */
	private static final Duration TIMEOUT = Duration.ofSeconds(40);

	private static final Duration PLAN_INTERVAL = Duration.ofHours(1);

	private static final int THREADS = 8;

	/** Domains of one run and thread, so that others of the worker's jobs see its end. */
	private static final int PER_RUN = 20;

	/** Addresses of a record that are tried. */
	private static final int MAX_ADDRESSES = 5;

	private static final int STATUS_CLASS = 100;

	private static final int SUCCESS = 2;

	private static final Pattern RECORD = Pattern.compile("v=TLSRPTv1\\s*;.*", Pattern.DOTALL);

	private final OutgoingTlsReports reports;

	private final NameServers dns;

	private final StsPolicies policies;

	private final TlsReportMail mail;

	private final ReportHandOver handOver;

	private final MeterRegistry registry;

	private final Clock clock;

	private final AtomicReference<Instant> planned = new AtomicReference<>(Instant.EPOCH);

	TlsReportSender(OutgoingTlsReports reports, NameServers dns, StsPolicies policies, TlsReportMail mail,
			ReportHandOver handOver, MeterRegistry registry, Clock clock) {
		this.reports = reports;
		this.dns = dns;
		this.policies = policies;
		this.mail = mail;
		this.handOver = handOver;
		this.registry = registry;
		this.clock = clock;
	}

	/**
	 * Sends the reports that are due; only one worker calls this.
	 * @return number of reports that were sent
	 */
	public long run() {
		Instant now = this.clock.instant();
		if (!now.isBefore(this.planned.get().plus(PLAN_INTERVAL))) {
			this.reports.plan();
			this.planned.set(now);
		}
		Optional<Due> first = this.reports.next();
		if (first.isEmpty()) {
			return 0;
		}
		List<Due> begin = List.of(first.get());
		return Parallel
			.map(IntStream.range(0, THREADS).boxed().toList(), THREADS,
					(thread) -> sent((thread == 0) ? begin : List.of()))
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	private long sent(List<Due> taken) {
		long sent = taken.stream().filter(this::send).count();
		for (int i = 0; i < PER_RUN; i++) {
			Optional<Due> due = this.reports.next();
			if (due.isEmpty()) {
				break;
			}
			sent += send(due.get()) ? 1 : 0;
		}
		return sent;
	}

	/** Sends a report, and returns whether it was accepted. */
	private boolean send(Due due) {
		List<String> receivers;
		try {
			receivers = receivers(Objects.requireNonNull(this.dns.texts("_smtp._tls." + due.domain()).block()));
		}
		catch (UncheckedIOException _) {
			// It is not known whether the domain asks for reports; it is looked up again.
			if (due.last()) {
				this.reports.forget(due);
			}
			return false;
		}
		TlsReportText text = new TlsReportText(due, this.mail.submitter(), this.reports.sessions(due));
		if (receivers.isEmpty() || text.sessions().isEmpty()) {
			this.reports.forget(due);
			return false;
		}
		if (!this.reports.begin(due)) {
			return false;
		}
		Attempt attempt = attempt(text, receivers);
		this.reports.record(due, attempt);
		String result = (attempt.result() != Result.SENT && !due.last()) ? "deferred"
				: attempt.result().name().toLowerCase(Locale.ROOT);
		this.registry.counter("mailroom.tls.reports", "direction", "sent", "result", result).increment();
		return attempt.result() == Result.SENT;
	}

	/**
	 * Addresses of the record, in its order; none if there is no record or more than one.
	 */
	static List<String> receivers(List<String> texts) {
		List<String> records = texts.stream().filter((text) -> RECORD.matcher(text).matches()).toList();
		return (records.size() != 1) ? List.of()
				: Stream.of(records.getFirst().split(";", -1))
					.map(String::strip)
					.filter((field) -> field.matches("(?s)rua\\s*=.*"))
					.limit(1)
					.flatMap((field) -> Stream.of(field.substring(field.indexOf('=') + 1).split(",", -1)))
					.map(String::strip)
					.filter((uri) -> uri.matches("(?i)(mailto:|https://)\\S+"))
					.limit(MAX_ADDRESSES)
					.toList();
	}

	/** Tries one address after another, until one takes the report. */
	private Attempt attempt(TlsReportText text, List<String> receivers) {
		byte[] content = text.compressed(this.policies::find);
		List<String> errors = new ArrayList<>();
		for (String receiver : receivers) {
			@Nullable String error;
			try {
				error = receiver.regionMatches(true, 0, "mailto:", 0, "mailto:".length())
						? mailed(text, receiver.substring("mailto:".length()), content) : posted(receiver, content);
			}
			catch (RuntimeException ex) {
				Throwable reason = Exceptions.unwrap(ex);
				error = Objects.requireNonNullElse(reason.getMessage(), reason.toString());
				// A receiver that did not answer may have the report: it is asked again,
				// not the others.
				if (reason instanceof AnswerLost || reason instanceof TimeoutException
						|| reason instanceof PrematureCloseException) {
					return result(text, Result.LOST, receiver, error);
				}
			}
			if (error == null) {
				return result(text, Result.SENT, receiver, null);
			}
			errors.add(error);
		}
		return result(text, Result.FAILED, receivers.getLast(), String.join("; ", errors));
	}

	private static Attempt result(TlsReportText text, Result result, String receiver, @Nullable String error) {
		return new Attempt(result, receiver, error, text.count(true), text.count(false));
	}

	/** Sends a mail. Returns the reason if it was not accepted, else null. */
	private @Nullable String mailed(TlsReportText text, String receiver, byte[] content) {
		String address = receiver.replaceFirst("[?!].*", "").replace("+", "%2B");
		@Nullable EmailAddress recipient = EmailAddress.parse(URLDecoder.decode(address, StandardCharsets.UTF_8))
			.filter((it) -> StandardCharsets.US_ASCII.newEncoder().canEncode(it.toString()))
			.orElse(null);
		if (recipient == null) {
			return "The address is not valid";
		}
		byte @Nullable [] message = this.mail
			.compose(new TlsReportMail.Report(text.due().domain(), text.id(), recipient.toString(), text.fileName(),
					content))
			.orElse(null);
		if (message == null) {
			return "The platform has no key to sign the report";
		}
		Outcome outcome = Objects
			.requireNonNull(this.handOver.hand("no-reply@bounce." + text.submitter(), recipient, message).block());
		return switch (outcome) {
			case Outcome.Delivered _, Outcome.Sent _ -> null;
			case Outcome.Bounced bounced -> bounced.reply();
			case Outcome.Deferred deferred -> deferred.reply();
			case Outcome.Unopened unopened -> unopened.reply();
			case Outcome.Failed _, Outcome.Suppressed _, Outcome.Unanswered _ -> outcome.toString();
		};
	}

	/** Posts a report. Returns the reason if it was not accepted, else null. */
	private @Nullable String posted(String url, byte[] content) {
		int status = Objects.requireNonNull(this.handOver.post(URI.create(url), content).timeout(TIMEOUT).block());
		return (status / STATUS_CLASS == SUCCESS) ? null : "The response was " + status;
	}

}
