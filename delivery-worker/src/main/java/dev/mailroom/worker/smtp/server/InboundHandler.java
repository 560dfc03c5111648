package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Locale;

import dev.mailroom.inbound.ReceivingDomain;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * SMTP handler of inbound mail. It relays nothing, and the same reply refuses every
 * unknown address, so that it does not reveal which domains exist.
 */
@Component
class InboundHandler implements SmtpHandler {

	private static final Logger log = LoggerFactory.getLogger(InboundHandler.class);

	private static final SmtpReply RECIPIENT_OK = new SmtpReply(250, "2.1.5", "Ok");

	private static final SmtpReply NO_SUCH_MAILBOX = new SmtpReply(550, "5.1.1", "No such mailbox here");

	private static final SmtpReply RATE_LIMITED = new SmtpReply(450, "4.7.1",
			"Too many mails from this address, try again later");

	private static final SmtpReply ACCOUNT_FULL = new SmtpReply(452, "4.2.2",
			"The account has received too much today, try again later");

	private static final SmtpReply ACCEPTED = new SmtpReply(250, "2.6.0", "Accepted");

	/**
	 * Parts decoded, as text of two bytes a character, and their copies for PostgreSQL.
	 */
	private static final int MEMORY_FACTOR = 6;

	private final InboundReceiver receiver;

	private final Feedback feedback;

	private final InboundRate rate;

	private final MeterRegistry registry;

	InboundHandler(InboundReceiver receiver, Feedback feedback, InboundRate rate, MeterRegistry registry) {
		this.receiver = receiver;
		this.feedback = feedback;
		this.rate = rate;
		this.registry = registry;
	}

	@Override
	public int memoryFactor() {
		return MEMORY_FACTOR;
	}

	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		if (this.rate.allows(client.address().getAddress())) {
			return Mono.just(OK);
		}
		count("rate_limited");
		return Mono.just(RATE_LIMITED);
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return this.feedback.expects(recipient) ? Mono.just(RECIPIENT_OK)
				: this.receiver.owner(recipient).flatMap(this::recipient).switchIfEmpty(Mono.fromSupplier(() -> {
					count("refused");
					return NO_SUCH_MAILBOX;
				}));
	}

	private Mono<SmtpReply> recipient(ReceivingDomain.Owner owner) {
		return this.receiver.isFull(owner).map((full) -> {
			if (full) {
				count("account_full");
			}
			return full ? ACCOUNT_FULL : RECIPIENT_OK;
		});
	}

	/**
	 * Processes a mail to feedback addresses as feedback; stores it for all other
	 * recipients and, if it is not a report, for the feedback addresses as well. An error
	 * leads to a 451; both operations are idempotent, so that the retry counts nothing
	 * twice.
	 */
	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		// An address given twice, regardless of case, is processed once.
		List<String> feedbackAddresses = mail.rcptTo()
			.stream()
			.filter(this.feedback::expects)
			.map((address) -> address.toLowerCase(Locale.ROOT))
			.distinct()
			.toList();
		IncomingMail incoming = new IncomingMail(mail.client().address().getAddress(), mail.client().helo(),
				mail.mailFrom(), mail.content());
		Flux<String> others = Flux.fromIterable(mail.rcptTo()).filter((address) -> !this.feedback.expects(address));
		return Flux.fromIterable(feedbackAddresses)
			.filterWhen((address) -> this.feedback.take(address, incoming).map(FeedbackKind.NOT_A_REPORT::equals))
			.concatWith(others)
			.collectList()
			.flatMap(
					(addresses) -> store(incoming, addresses, feedbackAddresses.isEmpty() ? NO_SUCH_MAILBOX : ACCEPTED))
			.doOnNext((reply) -> count(reply.equals(ACCEPTED) ? "accepted" : "refused"))
			.doOnError((_) -> count("failed"));
	}

	private void count(String result) {
		this.registry.counter("mailroom.inbound", "result", result).increment();
	}

	private Mono<SmtpReply> store(IncomingMail incoming, List<String> addresses, SmtpReply withoutRecipients) {
		return Flux.fromIterable(addresses)
			.concatMap((address) -> this.receiver.owner(address)
				.map((owner) -> new InboundReceiver.Recipient(address, owner)))
			.collectList()
			.flatMap((recipients) -> recipients.isEmpty() ? Mono.just(withoutRecipients)
					: this.receiver.receive(incoming, recipients).thenReturn(ACCEPTED))
			.doOnError((error) -> log.warn("A received mail could not be stored; the sender is asked to retry", error));
	}

}
