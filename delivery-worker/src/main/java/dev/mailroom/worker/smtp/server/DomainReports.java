package dev.mailroom.worker.smtp.server;

import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.dmarcreport.DmarcReports.Kept;
import dev.mailroom.dmarcreport.ReportAddress;
import dev.mailroom.dmarcreport.UnreadReport;
import dev.mailroom.secret.StampedIds;
import dev.mailroom.tlsreport.TlsReports;
import dev.mailroom.worker.report.ReportMails;
import dev.mailroom.worker.report.Unreadable;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Reads mails to the addresses for reports about domains (RFC 9990, RFC 8460). They are
 * never stored as received mail, and nothing in them changes what is sent. A mail that
 * cannot be read is accepted: a refusal makes receivers stop sending reports.
 */
@Component
class DomainReports {

	private final ReportAddress address;

	private final DmarcReports reports;

	private final TlsReports tlsReports;

	private final InboundChecks checks;

	private final Clock clock;

	private final MeterRegistry registry;

	DomainReports(ReportAddress address, DmarcReports reports, TlsReports tlsReports, InboundChecks checks, Clock clock,
			MeterRegistry registry) {
		this.address = address;
		this.reports = reports;
		this.tlsReports = tlsReports;
		this.checks = checks;
		this.clock = clock;
		this.registry = registry;
	}

	/** Whether this is an address for reports about a domain. */
	boolean expects(String recipient) {
		return this.address.read(recipient).or(() -> this.address.readTls(recipient)).isPresent();
	}

	/** Reads a mail and stores its report. Idempotent. */
	Mono<Void> take(String recipient, IncomingMail mail) {
		return Mono.fromSupplier(() -> sender(mail))
			.flatMap((sender) -> take(recipient, sender, mail))
			.subscribeOn(Schedulers.boundedElastic());
	}

	private Mono<Void> take(String recipient, String sender, IncomingMail mail) {
		return Mono.justOrEmpty(this.address.read(recipient))
			.flatMap((ids) -> take(ids, sender, mail, () -> ReportMails.read(mail.raw(), this.clock.instant()),
					(report, verified) -> this.reports.keep(ids, report, sender, verified))
				.doOnNext((result) -> this.registry.counter("mailroom.dmarc.reports", "result", result).increment()))
			.switchIfEmpty(Mono.justOrEmpty(this.address.readTls(recipient))
				.flatMap((ids) -> take(ids, sender, mail, () -> ReportMails.readTls(mail.raw(), this.clock.instant()),
						(report, verified) -> this.tlsReports.keep(ids, report, sender, verified))
					.doOnNext((result) -> this.registry
						.counter("mailroom.tls.reports", "direction", "received", "result", result)
						.increment())))
			.then();
	}

	private static String sender(IncomingMail mail) {
		String author = ReturnedMail.read(mail.raw()).author();
		return author.substring(author.lastIndexOf('@') + 1);
	}

	/** Reads and keeps a report. The result is the value of labels. */
	private <T> Mono<String> take(StampedIds.Ids ids, String sender, IncomingMail mail, Callable<T> read,
			BiFunction<T, Boolean, Mono<Kept>> keep) {
		return Mono.fromCallable(read)
			.flatMap((report) -> this.checks.authenticates(mail, sender)
				.flatMap((verified) -> keep.apply(report, verified)))
			.map(Kept::label)
			.onErrorResume(Unreadable.class, (unreadable) -> {
				String reason = unreadable.reason().label();
				return this.reports
					.unread(ids,
							new UnreadReport("", sender, reason, String.valueOf(unreadable.getMessage()),
									mail.raw().length, this.clock.instant()))
					.thenReturn(reason);
			});
	}

}
