package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.DeliveryReport;
import dev.mailroom.mail.outcome.FeedbackReport;
import dev.mailroom.mail.outcome.MessageIdMatches;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.observability.LoggedAddresses;
import dev.mailroom.observability.LoggedMail;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Processes bounces and complaints. Reports are never stored as received mail; those that
 * cannot be parsed or that name no known delivery are ignored.
 */
@Component
public class Feedback {

	private static final Logger log = LoggerFactory.getLogger(Feedback.class);

	private final Outcomes outcomes;

	private final ReturnPath returnPath;

	private final MessageIdMatches matches;

	private final InboundChecks checks;

	private final FeedbackSettings settings;

	private final MeterRegistry registry;

	Feedback(Outcomes outcomes, ReturnPath returnPath, MessageIdMatches matches, InboundChecks checks,
			FeedbackSettings settings, MeterRegistry registry) {
		this.outcomes = outcomes;
		this.returnPath = returnPath;
		this.matches = matches;
		this.checks = checks;
		this.settings = settings;
		this.registry = registry;
	}

	/**
	 * Whether this is a feedback address: a return path of this platform, or an address
	 * of the platform for complaints, which may also receive mail from people.
	 */
	public boolean expects(String recipient) {
		return this.returnPath.read(recipient).isPresent()
				|| this.settings.isForComplaints(recipient.toLowerCase(Locale.ROOT));
	}

	/**
	 * Parses a mail and applies its report. Idempotent.
	 * @param recipient recipient of the envelope
	 */
	public Mono<FeedbackKind> take(String recipient, IncomingMail incoming) {
		return Mono.defer(() -> {
			ReturnedMail mail = ReturnedMail.read(incoming.raw());
			return report(recipient, mail, incoming).flatMap((report) -> withoutForwarding(report, mail))
				.flatMap(this::apply)
				.switchIfEmpty(Mono.fromSupplier(() -> {
					log.info(
							"A mail to the feedback address with the hash {} was ignored: it reports no known delivery",
							LoggedAddresses.hash(recipient));
					return mail.isReport() ? FeedbackKind.UNMATCHED : FeedbackKind.NOT_A_REPORT;
				}));
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private Mono<FeedbackKind> apply(Found found) {
		FeedbackReport report = found.report();
		if (!found.proven()) {
			count(found.source(), "unverified");
			log.atInfo()
				.addKeyValue(LoggedMail.DELIVERY, report.delivery())
				.addKeyValue(LoggedMail.ACCOUNT, report.account())
				.log("A complaint about delivery {} was not applied: neither its source nor a return path is proven",
						report.delivery());
			return Mono.just(FeedbackKind.UNVERIFIED);
		}
		count(found);
		return Mono.fromCallable(() -> this.outcomes.recordFeedback(List.of(report)))
			.subscribeOn(Schedulers.boundedElastic())
			.doOnNext((changed) -> log.atInfo()
				.addKeyValue(LoggedMail.DELIVERY, report.delivery())
				.addKeyValue(LoggedMail.ACCOUNT, report.account())
				.log("Delivery {} {}{}", report.delivery(),
						report.kind().getClass().getSimpleName().toLowerCase(Locale.ROOT),
						(changed > 0) ? "" : " (already known or too late)"))
			.thenReturn(FeedbackKind.APPLIED);
	}

	/**
	 * The delivery of a report. A complaint that names it by CFBL-Feedback-ID is judged
	 * by that field alone, as RFC 9477 demands: without a valid stamp it has no delivery,
	 * and without a DKIM signature of its author's domain it is not applied.
	 */
	private Mono<Found> report(String recipient, ReturnedMail mail, IncomingMail incoming) {
		Mono<Boolean> isVerified = isVerified(incoming, mail);
		return Mono.justOrEmpty(ReportReading.of(mail)).flatMap((kind) -> {
			Optional<ReturnPath.Named> returned = byReturnPath(recipient, mail, kind);
			Optional<String> feedbackId = (kind instanceof DeliveryReport.Complained) ? feedbackId(mail)
					: Optional.empty();
			if (returned.isEmpty() && feedbackId.isPresent()) {
				return Mono.justOrEmpty(this.returnPath.readFeedbackId(feedbackId.get()))
					.flatMap((delivery) -> isVerified.zipWith(this.checks.isSignedByAuthor(incoming, mail.author()),
							(verified, signed) -> new Found(delivery, kind, verified, signed, "cfbl")));
			}
			return Mono.justOrEmpty(returned)
				.flatMap((delivery) -> isVerified.map((verified) -> new Found(delivery, kind, verified, true)))
				.switchIfEmpty(Mono.defer(() -> byMessageId(mail, kind).flatMap(
						(delivery) -> isVerified.map((verified) -> new Found(delivery, kind, verified, verified)))));
		});
	}

	/** The CFBL-Feedback-ID of a complaint, if it has the form of ours. */
	private static Optional<String> feedbackId(ReturnedMail mail) {
		return Stream.of(mail.feedback(), mail.original())
			.map((fields) -> fields.get("cfbl-feedback-id"))
			.filter(ReturnPath::isFeedbackId)
			.findFirst();
	}

	/** Whether the mail is proven to come from a configured source of reports. */
	private Mono<Boolean> isVerified(IncomingMail incoming, ReturnedMail mail) {
		return this.settings.feedbackSources().isEmpty() ? Mono.just(false)
				: this.checks.senders(incoming, mail.author()).map(this.settings::hasSource);
	}

	/**
	 * Delivery named by the Message-ID, for complaints only: many feedback loops remove
	 * the return path. Bounces always have it; one without it is a forgery. The
	 * Message-ID is known to each reader of a copy and proves nothing.
	 */
	private Mono<ReturnPath.Named> byMessageId(ReturnedMail mail, DeliveryReport kind) {
		return (kind instanceof DeliveryReport.Complained)
				? Mono.justOrEmpty(mail.messageId()).flatMap(this.matches::find) : Mono.empty();
	}

	/**
	 * Turns a hard bounce into a soft one if it is about an address at another domain:
	 * the mail was forwarded, and the address that does not exist is not the recipient's.
	 */
	private Mono<Found> withoutForwarding(Found found, ReturnedMail mail) {
		if (!(found.report().kind() instanceof DeliveryReport.Bounced(var bounce))
				|| bounce.type() != Bounce.Type.HARD) {
			return Mono.just(found);
		}
		Bounce softer = new Bounce(Bounce.Reason.FORWARDED, bounce.code(), bounce.diagnostic());
		return this.matches.recipient(found.report().delivery())
			.map((recipient) -> mail.mayConcern(recipient) ? found : found.as(new DeliveryReport.Bounced(softer)))
			.defaultIfEmpty(found);
	}

	/**
	 * Delivery named by the return path, which a complaint may contain as a field. The
	 * fields of the original mail are not the tenant's: no tenant may set them.
	 */
	private Optional<ReturnPath.Named> byReturnPath(String recipient, ReturnedMail mail, DeliveryReport kind) {
		Stream<String> fields = (kind instanceof DeliveryReport.Complained)
				? Stream.of(mail.feedback().get("original-mail-from"), mail.original().get("return-path"),
						mail.original().get("x-original-mail-from"))
				: Stream.empty();
		return Stream.concat(Stream.of(recipient), fields)
			.map(this.returnPath::read)
			.flatMap(Optional::stream)
			.findFirst();
	}

	private void count(Found found) {
		switch (found.report().kind()) {
			case DeliveryReport.Bounced(var bounce) -> count("dsn", bounce.type().contractName());
			case DeliveryReport.Complained _ -> count(found.source(), "complaint");
			case DeliveryReport.Delayed _ -> count("dsn", "delayed");
			case DeliveryReport.Delivered _ -> count("dsn", "delivered");
		}
	}

	private void count(String source, String kind) {
		this.registry.counter("mailroom.feedback", "source", source, "kind", kind).increment();
	}

	/**
	 * A report and its delivery.
	 *
	 * @param proven whether the report has a return path, or its source is proven
	 * @param source what a complaint is counted as
	 */
	private record Found(FeedbackReport report, boolean proven, String source) {

		Found(ReturnPath.Named delivery, DeliveryReport kind, boolean verified, boolean proven) {
			this(delivery, kind, verified, proven, "arf");
		}

		Found(ReturnPath.Named delivery, DeliveryReport kind, boolean verified, boolean proven, String source) {
			this(new FeedbackReport(delivery.account(), delivery.delivery(), kind, verified), proven, source);
		}

		Found as(DeliveryReport kind) {
			return new Found(
					new FeedbackReport(this.report.account(), this.report.delivery(), kind, this.report.verified()),
					this.proven, this.source);
		}

	}

	/**
	 * Addresses for complaints.
	 *
	 * @param platformDomain domain of the platform's own mail
	 * @param feedbackSources domains whose reports are trusted, such as those of feedback
	 * loops and of the relay, together with their subdomains; or addresses
	 */
	@ConfigurationProperties("mailroom")
	record FeedbackSettings(@DefaultValue("mailroom.localhost") String platformDomain,
			@DefaultValue List<String> feedbackSources) {

		/** Mailboxes for complaints (RFC 2142) and for feedback loops. */
		private static final Set<String> MAILBOXES = Set.of("abuse", "fbl", "postmaster");

		/** Domains whose addresses anybody can get. */
		private static final Set<String> FREE_MAIL = Set.of("126.com", "163.com", "aol.com", "free.fr", "gmail.com",
				"gmx.at", "gmx.ch", "gmx.com", "gmx.de", "gmx.net", "googlemail.com", "hotmail.com", "icloud.com",
				"laposte.net", "libero.it", "live.com", "mac.com", "mail.com", "mail.ru", "me.com", "msn.com",
				"orange.fr", "outlook.com", "proton.me", "protonmail.com", "qq.com", "t-online.de", "web.de",
				"yahoo.com", "yandex.com", "yandex.ru", "zoho.com");

		FeedbackSettings {
			feedbackSources = feedbackSources.stream()
				.map((source) -> source.strip().toLowerCase(Locale.ROOT))
				.filter((source) -> !source.isEmpty())
				.toList();
			feedbackSources.stream().filter(FREE_MAIL::contains).findFirst().ifPresent((source) -> {
				throw new IllegalArgumentException("MAILROOM_FEEDBACK_SOURCES contains " + source
						+ ", where anybody can get an address. Name the address that sends the reports, such as staff@"
						+ source);
			});
		}

		/** Whether complaints are sent to this address. */
		boolean isForComplaints(String address) {
			String key = address.toLowerCase(Locale.ROOT);
			int at = key.lastIndexOf('@');
			return at > 0 && MAILBOXES.contains(key.substring(0, at))
					&& key.substring(at + 1).equals(this.platformDomain.toLowerCase(Locale.ROOT));
		}

		/**
		 * Whether one of these domains and addresses, in lower case, is a source of
		 * reports.
		 */
		boolean hasSource(Set<String> senders) {
			return this.feedbackSources.stream()
				.anyMatch((source) -> senders.contains(source) || (!source.contains("@") && senders.stream()
					.anyMatch((sender) -> !sender.contains("@") && sender.endsWith("." + source))));
		}

	}

	/** Classification of a mail to a feedback address. */
	public enum FeedbackKind {

		/** A report about a delivery of this platform; it was applied. */
		APPLIED,

		/** A complaint that could be forged; it was only counted. */
		UNVERIFIED,

		/** A report without a statement, or about an unknown delivery. */
		UNMATCHED,

		/** Not a report; possibly written by a person. */
		NOT_A_REPORT

	}

}
