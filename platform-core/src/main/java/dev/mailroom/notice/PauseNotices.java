package dev.mailroom.notice;

import java.util.UUID;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Notifies owners whose accounts were paused automatically. */
@Service
public class PauseNotices {

	private static final String SUBJECT = "Sending is paused for your account";

	private static final String TEXT = """
			Sending is paused for your account: %s.

			What is in the queue stays there and is sent when the pause is lifted; new mail is refused as \
			"Account paused" until then. Campaigns that were running are paused, and wait for you to resume them. \
			GET /analytics/reputation shows what the mails came back for and what to do about it. Answer to your \
			operator when it is done: the pause is lifted by hand.
			""";

	private final PlatformMail mail;

	PauseNotices(PlatformMail mail) {
		this.mail = mail;
	}

	/**
	 * Sends the notice of a pause, at most once in 24 hours for each reason.
	 * @param owner the address of the account's owner
	 */
	public Mono<Void> send(UUID accountId, String owner, String reason) {
		String name = "pause %s %08x".formatted(accountId, reason.hashCode());
		return this.mail.sendOnce(name, owner, SUBJECT, TEXT.formatted(reason));
	}

}
