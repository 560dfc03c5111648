package dev.mailroom.upkeep;

import java.time.temporal.ChronoUnit;

import dev.mailroom.account.NoticeKind;
import dev.mailroom.brand.Letter;
import dev.mailroom.webhook.WebhookUpkeep;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/** Notifies members whose webhook endpoints were switched off. */
@Service
public class EndpointNotices {

	private static final Logger log = LoggerFactory.getLogger(EndpointNotices.class);

	private static final String SUBJECT = "A webhook endpoint was switched off";

	private static final String TEXT = """
			The webhook endpoint %1$s was switched off on %2$s: %3$s.

			Events are no longer posted to it. When the endpoint works again, switch it on \
			(PUT /webhooks/endpoints/%4$s with {"active": true}), and request the missed events \
			(POST /webhooks/endpoints/%4$s/recover with {"since": "..."}). \
			GET /webhooks/endpoints/%4$s/deliveries shows the attempts with their errors.
			""";

	private final WebhookUpkeep upkeep;

	private final MemberNotices notices;

	EndpointNotices(WebhookUpkeep upkeep, MemberNotices notices) {
		this.upkeep = upkeep;
		this.notices = notices;
	}

	/**
	 * Sends the notices that are due.
	 * @return their number
	 */
	public long send() {
		return this.upkeep.switchedOff().stream().filter(this::send).count();
	}

	/**
	 * Whether the notice was sent. If a crash separates the two writes, the mail's name
	 * keeps it from being sent twice.
	 */
	private boolean send(WebhookUpkeep.SwitchedOff endpoint) {
		String name = "webhook %s %s".formatted(endpoint.id(), endpoint.disabledAt());
		try {
			this.notices.send(endpoint.accountId(), NoticeKind.WEBHOOK_DISABLED, name,
					Letter.of(SUBJECT, text(endpoint)), "/webhooks/" + endpoint.id());
			this.upkeep.noticeSent(endpoint);
			return true;
		}
		catch (RuntimeException ex) {
			log.warn("The notice of webhook endpoint {} was not sent and will be retried: {}", endpoint.id(),
					ex.toString());
			return false;
		}
	}

	private static String text(WebhookUpkeep.SwitchedOff endpoint) {
		return TEXT.formatted(endpoint.url(), endpoint.disabledAt().truncatedTo(ChronoUnit.SECONDS), endpoint.reason(),
				endpoint.id());
	}

}
