package dev.mailroom.worker.inbound;

import java.util.List;
import java.util.Locale;

import dev.mailroom.worker.feedback.Feedback;
import dev.mailroom.worker.feedback.FeedbackKind;
import dev.mailroom.worker.smtpd.SmtpClient;
import dev.mailroom.worker.smtpd.SmtpHandler;
import dev.mailroom.worker.smtpd.SmtpMail;
import dev.mailroom.worker.smtpd.SmtpReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Answers the servers that bring mail. There is one no for everybody who is not here: it
 * relays nothing, and tells nobody whose domains are.
 */
@Component
class InboundHandler implements SmtpHandler {

	private static final Logger log = LoggerFactory.getLogger(InboundHandler.class);

	private static final SmtpReply TAKEN = new SmtpReply(250, "2.1.5", "Ok");

	private static final SmtpReply NOBODY = new SmtpReply(550, "5.1.1", "Nobody of that name takes mail here");

	private static final SmtpReply TOO_MANY = new SmtpReply(450, "4.7.1",
			"Too many mails from there, come again later");

	private static final SmtpReply KEPT = new SmtpReply(250, "2.6.0", "Kept");

	private final InboundReceiver reception;

	private final Feedback feedback;

	private final InboundRate pace;

	InboundHandler(InboundReceiver reception, Feedback feedback, InboundRate pace) {
		this.reception = reception;
		this.feedback = feedback;
		this.pace = pace;
	}

	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		return Mono.just(this.pace.allows(client.address().getAddress()) ? OK : TOO_MANY);
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return this.feedback.expects(recipient) ? Mono.just(TAKEN)
				: this.reception.owner(recipient).map((_) -> TAKEN).defaultIfEmpty(NOBODY);
	}

	/**
	 * What comes back is told to those who sent it, the rest is kept, with what somebody
	 * has written to where reports come. What cannot be is an error, for which the server
	 * says a 451: told again, nothing counts twice.
	 */
	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		// Named again, in whatever case, it is the same address: it is read but once.
		List<String> back = mail.rcptTo()
			.stream()
			.filter(this.feedback::expects)
			.map((each) -> each.toLowerCase(Locale.ROOT))
			.distinct()
			.toList();
		Flux<String> others = Flux.fromIterable(mail.rcptTo()).filter((each) -> !this.feedback.expects(each));
		return Flux.fromIterable(back)
			.filterWhen((each) -> this.feedback.take(each, mail.content()).map(FeedbackKind.LETTER::equals))
			.concatWith(others)
			.collectList()
			.flatMap((addresses) -> keep(mail, addresses, back.isEmpty() ? NOBODY : KEPT));
	}

	private Mono<SmtpReply> keep(SmtpMail mail, List<String> addresses, SmtpReply otherwise) {
		IncomingMail incoming = new IncomingMail(mail.client().address().getAddress(), mail.client().helo(),
				mail.mailFrom(), mail.content());
		return Flux.fromIterable(addresses)
			.concatMap((each) -> this.reception.owner(each).map((owner) -> new InboundReceiver.Recipient(each, owner)))
			.collectList()
			.flatMap((recipients) -> recipients.isEmpty() ? Mono.just(otherwise)
					: this.reception.take(incoming, recipients).thenReturn(KEPT))
			.doOnError((error) -> log.warn("A mail that came in could not be kept, and is to come again", error));
	}

}
