package dev.mailroom.upkeep;

import java.util.UUID;

import dev.mailroom.account.NoticeKind;
import dev.mailroom.brand.Letter;

import org.springframework.stereotype.Service;

/** Notifies members whose accounts were paused automatically. */
@Service
public class PauseNotices {

	private static final String SUBJECT = "Sending is paused for your account";

	private static final String TEXT = """
			Sending is paused for your account: %s.

			Queued mail stays in the queue and is sent when the pause is lifted; until then new mail is refused as \
			"Account paused". Running campaigns are paused, and you resume them yourself. \
			GET /analytics/reputation shows the causes of the bounces and complaints and what to do about them. \
			Contact your operator when this is done: an operator lifts the pause.
			""";

	private final MemberNotices notices;

	PauseNotices(MemberNotices notices) {
		this.notices = notices;
	}

	/**
	 * Sends the notice of a pause, at most once in 24 hours for each reason.
	 */
	public void send(UUID accountId, String reason) {
		String name = "pause %s %08x".formatted(accountId, reason.hashCode());
		this.notices.send(accountId, NoticeKind.ACCOUNT_PAUSED, name, Letter.of(SUBJECT, TEXT.formatted(reason)),
				"/overview");
	}

}
