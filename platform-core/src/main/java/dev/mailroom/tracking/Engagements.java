package dev.mailroom.tracking;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Scope;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Records opens and clicks: the counter and the event, in one transaction. Automated
 * opens and clicks are recorded as events and not counted.
 */
@Service
public class Engagements {

	/** Opens and clicks recorded per minute and delivery; further ones are ignored. */
	private static final int MAX_PER_MINUTE = 60;

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final Cache<UUID, AtomicInteger> recent = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfterWrite(MINUTE)
		.build();

	private final Transactions transactions;

	private final EngagementStore store;

	private final CampaignResults campaigns;

	private final Events events;

	Engagements(Transactions transactions, EngagementStore store, CampaignResults campaigns, Events events) {
		this.transactions = transactions;
		this.store = store;
		this.campaigns = campaigns;
		this.events = events;
	}

	/** Records that a mail was opened. */
	public Mono<Void> recordOpen(TrackingToken.Open open, Visitor visitor) {
		Scope scope = Scope.of(open.accountId());
		return record(scope, open.delivery(), this.store.countOpen(scope, open.delivery(), !visitor.isAutomated()),
				EventKind.EMAIL_OPENED, visitor, Map.of());
	}

	/**
	 * Records that a link was clicked.
	 * @param url target of the link
	 */
	public Mono<Void> recordClick(TrackingToken.Click click, String url, Visitor visitor) {
		Scope scope = Scope.of(click.accountId());
		return record(scope, click.delivery(),
				this.store.countClick(scope, click.delivery(), !visitor.isAutomated(), visitor.equals(Visitor.SANDBOX))
					.delayUntil((engagement) -> countLink(scope, engagement, click, url)),
				EventKind.EMAIL_CLICKED, visitor, Map.of("click", Map.of("url", url)));
	}

	private Mono<Void> countLink(Scope scope, Engagement engagement, TrackingToken.Click click, String url) {
		return (engagement.campaignId() != null && engagement.counted())
				? this.campaigns.countClick(scope, engagement.campaignId(), engagement.emailId(), click.link(), url)
				: Mono.empty();
	}

	private Mono<Void> record(Scope scope, UUID delivery, Mono<Engagement> counting, EventKind kind, Visitor visitor,
			Map<String, Object> details) {
		if (this.recent.get(delivery, (_) -> new AtomicInteger()).incrementAndGet() > MAX_PER_MINUTE) {
			return Mono.empty();
		}
		Mono<Engagement> work = counting.delayUntil((engagement) -> {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("recipient", engagement.recipient());
			data.putAll(details);
			data.put("bot", !engagement.counted());
			data.put("user_agent", visitor.userAgent());
			return this.events.record(List.of(new Event(scope.account(), kind, engagement.emailId(), data)));
		});
		return this.transactions.in(scope, work).then();
	}

	/**
	 * An open or a click.
	 *
	 * @param campaignId the campaign of the mail; null if it belongs to none
	 * @param counted whether it was attributed to a person
	 */
	record Engagement(UUID emailId, String recipient, @Nullable UUID campaignId, boolean counted) {
	}

}
