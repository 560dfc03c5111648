package dev.mailroom.worker.feedback;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import dev.mailroom.outcome.Bounce;
import dev.mailroom.outcome.FeedbackReport;
import dev.mailroom.outcome.MessageIdMatches;
import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.ReturnPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Takes mail that comes back to us. No report is ever kept as mail that came in: what is
 * not understood, or names no delivery of ours, is passed over.
 */
@Component
public class Feedback {

	private static final Logger log = LoggerFactory.getLogger(Feedback.class);

	private final Outcomes outcomes;

	private final ReturnPath returnPath;

	private final MessageIdMatches traces;

	private final FeedbackSettings settings;

	Feedback(Outcomes outcomes, ReturnPath returnPath, MessageIdMatches traces, FeedbackSettings settings) {
		this.outcomes = outcomes;
		this.returnPath = returnPath;
		this.traces = traces;
		this.settings = settings;
	}

	/**
	 * Whether mail to this address comes back, and is to be taken here: a return path of
	 * ours, or an address of the platform's for complaints, to which people write as
	 * well.
	 */
	public boolean expects(String recipient) {
		return this.returnPath.read(recipient).isPresent()
				|| this.settings.isForComplaints(recipient.toLowerCase(Locale.ROOT));
	}

	/**
	 * Reads a mail and settles what it tells. Taken again, it changes nothing.
	 * @param recipient of the envelope
	 */
	public Mono<FeedbackKind> take(String recipient, byte[] raw) {
		return Mono.defer(() -> {
			ReturnedMail mail = ReturnedReader.read(raw);
			return news(recipient, mail).flatMap((news) -> ofOurRecipient(news, mail))
				.flatMap((news) -> this.outcomes.recordFeedback(List.of(news))
					.doOnNext((moved) -> log.info("Delivery {} {}{}", news.delivery(),
							news.kind().getClass().getSimpleName().toLowerCase(Locale.ROOT),
							(moved > 0) ? "" : ", as was known or came too late"))
					.thenReturn(FeedbackKind.NEWS))
				.switchIfEmpty(Mono.fromSupplier(() -> {
					log.info("A mail to {} was passed over: it tells nothing of a delivery of ours", shown(recipient));
					return mail.isReport() ? FeedbackKind.NOTHING : FeedbackKind.LETTER;
				}));
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private Mono<FeedbackReport> news(String recipient, ReturnedMail mail) {
		return Mono.justOrEmpty(ReportReading.of(mail))
			.flatMap((kind) -> Mono.justOrEmpty(named(recipient, mail, kind))
				.switchIfEmpty(Mono.defer(() -> traced(mail, kind)))
				.map((it) -> new FeedbackReport(it.account(), it.delivery(), kind)));
	}

	/**
	 * Many a feedback loop keeps nothing of the return path: then the mail's id counts. A
	 * bounce always comes to its return path: one that does not is somebody's invention.
	 */
	private Mono<ReturnPath.Named> traced(ReturnedMail mail, FeedbackReport.Kind kind) {
		return (kind instanceof FeedbackReport.Kind.Complained)
				? Mono.justOrEmpty(mail.trace()).flatMap(this.traces::find) : Mono.empty();
	}

	/**
	 * A mail may be passed on, and whom it is passed on to may be gone: that is no word
	 * against the address that we wrote to.
	 */
	private Mono<FeedbackReport> ofOurRecipient(FeedbackReport news, ReturnedMail mail) {
		if (!(news.kind() instanceof FeedbackReport.Kind.Bounced(var bounce)) || bounce.type() != Bounce.Type.HARD) {
			return Mono.just(news);
		}
		Bounce softer = new Bounce(Bounce.Type.SOFT, bounce.code(), bounce.diagnostic());
		return this.traces.recipient(news.delivery())
			.map((ours) -> mail.mayTellOf(ours) ? news
					: new FeedbackReport(news.account(), news.delivery(), new FeedbackReport.Kind.Bounced(softer)))
			.defaultIfEmpty(news);
	}

	/** A complaint need not come to the return path: it brings it along. */
	private Optional<ReturnPath.Named> named(String recipient, ReturnedMail mail, FeedbackReport.Kind kind) {
		Stream<String> brought = (kind instanceof FeedbackReport.Kind.Complained)
				? Stream.of(mail.feedback().get("original-mail-from"), mail.original().get("return-path"),
						mail.original().get("x-original-mail-from"))
				: Stream.empty();
		return Stream.concat(Stream.of(recipient), brought)
			.map(this.returnPath::read)
			.flatMap(Optional::stream)
			.findFirst();
	}

	private static String shown(String recipient) {
		return recipient.replaceAll("\\p{Cntrl}", " ");
	}

}
