package dev.mailroom.worker.smtp.server;

import java.time.Clock;

import dev.mailroom.dmarcreport.AggregateReport;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.dmarcreport.ReportAddress;
import dev.mailroom.dmarcreport.UnreadReport;
import dev.mailroom.secret.StampedIds;
import dev.mailroom.worker.report.ReportMails;
import dev.mailroom.worker.report.Unreadable;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Reads mails to the addresses for reports about domains (RFC 9990). They are never
 * stored as received mail, and nothing in them changes what is sent. A mail that cannot
 * be read is accepted: a refusal makes receivers stop sending reports.
 */
@Component
class DomainReports {

	private final ReportAddress address;

	private final DmarcReports reports;

	private final InboundChecks checks;

	private final Clock clock;

	private final MeterRegistry registry;

	DomainReports(ReportAddress address, DmarcReports reports, InboundChecks checks, Clock clock,
			MeterRegistry registry) {
		this.address = address;
		this.reports = reports;
		this.checks = checks;
		this.clock = clock;
		this.registry = registry;
	}

	/** Whether this is an address for reports about a domain. */
	boolean expects(String recipient) {
		return this.address.read(recipient).isPresent();
	}

	/** Reads a mail and stores its report. Idempotent. */
	Mono<Void> take(String recipient, IncomingMail mail) {
		return Mono.justOrEmpty(this.address.read(recipient)).flatMap((ids) -> {
			String author = ReturnedMail.read(mail.raw()).author();
			String sender = author.substring(author.lastIndexOf('@') + 1);
			return Mono.fromCallable(() -> ReportMails.read(mail.raw(), this.clock.instant()))
				.flatMap((report) -> keep(ids, report, sender, mail))
				.onErrorResume(Unreadable.class, (unreadable) -> unread(ids, unreadable, sender, mail));
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private Mono<Void> keep(StampedIds.Ids ids, AggregateReport report, String sender, IncomingMail mail) {
		return this.checks.authenticates(mail, sender)
			.flatMap((verified) -> this.reports.keep(ids, report, sender, verified))
			.doOnNext((kept) -> count(kept.label()))
			.then();
	}

	private Mono<Void> unread(StampedIds.Ids ids, Unreadable unreadable, String sender, IncomingMail mail) {
		String reason = unreadable.reason().label();
		count(reason);
		return this.reports.unread(ids, new UnreadReport("", sender, reason, String.valueOf(unreadable.getMessage()),
				mail.raw().length, this.clock.instant()));
	}

	private void count(String result) {
		this.registry.counter("mailroom.dmarc.reports", "result", result).increment();
	}

}
