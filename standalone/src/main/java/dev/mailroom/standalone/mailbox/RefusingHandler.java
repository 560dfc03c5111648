package dev.mailroom.standalone.mailbox;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.worker.smtp.server.SmtpHandler;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpMail;
import dev.mailroom.worker.smtp.server.SmtpReply;
import reactor.core.publisher.Mono;

/**
 * Handler that refuses recipients at some domains, for undelivered mail of the demo
 * account, and accepts all others.
 */
final class RefusingHandler implements SmtpHandler {

	private static final String GREYLISTING = "greylist.example";

	private static final Map<String, SmtpReply> REPLIES = Map.of("gone.example",
			new SmtpReply(550, "5.1.1", "No such user here"), "fullbox.example",
			new SmtpReply(552, "5.2.2", "The mailbox is full"), "strict.example",
			new SmtpReply(550, "5.7.1", "Refused by the policy of the recipient"), "slow.example",
			new SmtpReply(451, "4.3.2", "The system is busy"), "down.example",
			new SmtpReply(451, "4.3.0", "The storage is not available"));

	private static final SmtpReply LATER = new SmtpReply(451, "4.7.1", "Greylisted: try again later");

	private final SmtpHandler accepting;

	/** Recipients that were refused once. */
	private final Set<String> greylisted = ConcurrentHashMap.newKeySet();

	RefusingHandler(SmtpHandler accepting) {
		this.accepting = accepting;
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		String address = recipient.toLowerCase(Locale.ROOT);
		String domain = address.substring(address.lastIndexOf('@') + 1);
		if (domain.equals(GREYLISTING) && this.greylisted.add(address)) {
			return Mono.just(LATER);
		}
		return Mono.just(Optional.ofNullable(REPLIES.get(domain)).orElse(OK));
	}

	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		return this.accepting.mail(mail);
	}

}
