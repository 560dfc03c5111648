package dev.mailroom.webhook;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The kinds of events that an endpoint can be told of. */
final class EventKinds {

	/** What an endpoint gets when it is tried out. */
	static final String TEST = "webhook.test";

	private static final Set<String> ALL = Set.of("email.scheduled", "email.sent", "email.delivered",
			"email.delivery_delayed", "email.bounced", "email.complained", "email.opened", "email.clicked",
			"email.failed", "email.cancelled", "email.suppressed", "email.received", "contact.created",
			"contact.updated", "contact.deleted", "contact.unsubscribed", "domain.verified", "domain.failed",
			"campaign.started", "campaign.paused", "campaign.resumed", "campaign.sent", "quota.warning",
			"quota.reached", TEST);

	private EventKinds() {
	}

	/** The kinds asked for, each once and in order. */
	static List<String> read(@Nullable List<@Nullable String> asked) {
		if (asked == null || asked.isEmpty()) {
			throw WebhookRefusals.invalid("events", "must name at least one kind of event");
		}
		Set<String> kinds = new LinkedHashSet<>();
		for (int i = 0; i < asked.size(); i++) {
			@Nullable String kind = asked.get(i);
			if (kind == null || !ALL.contains(kind)) {
				throw WebhookRefusals.invalid("events[" + i + "]", "is no kind of event, such as email.delivered");
			}
			kinds.add(kind);
		}
		return List.copyOf(kinds);
	}

}
