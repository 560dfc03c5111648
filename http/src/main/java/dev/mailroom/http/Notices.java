package dev.mailroom.http;

import java.time.Duration;

import dev.mailroom.account.AccountNotice;
import dev.mailroom.observability.LoggedRequest;
import dev.mailroom.upkeep.AccountMails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Sends notices for requests whose response must not show whether an address has an
 * account.
 */
@Component
public class Notices {

	private static final Logger log = LoggerFactory.getLogger(Notices.class);

	/** More than the acceptance of a mail takes. */
	private static final Duration MIN_DURATION = Duration.ofMillis(300);

	private final AccountMails mails;

	Notices(AccountMails mails) {
		this.mails = mails;
	}

	/**
	 * Sends a notice, if there is one. Takes the same time either way, and completes even
	 * if the mail cannot be sent: the owner can request another.
	 */
	public Mono<Void> send(Mono<AccountNotice> notice) {
		return Mono.when(notice.flatMap(this::send), Mono.delay(MIN_DURATION));
	}

	private Mono<Void> send(AccountNotice notice) {
		return this.mails.send(notice).onErrorResume((error) -> Mono.deferContextual((context) -> {
			LoggedRequest.with(context, () -> log.error("A mail to the owner of an account was not sent", error));
			return Mono.empty();
		}));
	}

}
