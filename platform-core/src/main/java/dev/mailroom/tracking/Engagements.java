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
import dev.mailroom.mail.queue.EmailRows;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
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

	private final EmailRows emails;

	private final CampaignResults campaigns;

	private final Events events;

	Engagements(Transactions transactions, EmailRows emails, CampaignResults campaigns, Events events) {
		this.transactions = transactions;
		this.emails = emails;
		this.campaigns = campaigns;
		this.events = events;
	}

	/** Records that a mail was opened. */
	public Mono<Void> recordOpen(TrackingToken.Open open, Visitor visitor) {
		Scope scope = Scope.of(open.accountId());
		if (isIgnored(open.delivery())) {
			return Mono.empty();
		}
		return this.transactions
			.in(scope,
					this.emails.count(engagement(open, visitor))
						.delayUntil((engaged) -> this.events.record(List.of(event(scope, engaged, visitor)))))
			.then();
	}

	/**
	 * Records that a link was clicked.
	 * @param url target of the link
	 */
	public Mono<Void> recordClick(TrackingToken.Click click, String url, Visitor visitor) {
		Scope scope = Scope.of(click.accountId());
		if (isIgnored(click.delivery())) {
			return Mono.empty();
		}
		return this.transactions
			.in(scope,
					this.emails.count(engagement(click, visitor))
						.delayUntil((engaged) -> countLink(scope, engaged, click, url))
						.delayUntil((engaged) -> this.events.record(List.of(event(scope, engaged, visitor, url)))))
			.then();
	}

	private Mono<Void> countLink(Scope scope, EmailRows.Engaged engaged, TrackingToken.Click click, String url) {
		return (engaged.campaignId() != null && engaged.counted())
				? this.campaigns.countClick(scope, engaged.campaignId(), engaged.emailId(), click.link(), url)
				: Mono.empty();
	}

	/** Records that a mail was opened, in a transaction of JDBC. */
	public void recordOpen(JdbcClient jdbc, TrackingToken.Open open, Visitor visitor) {
		Scope scope = Scope.of(open.accountId());
		if (!isIgnored(open.delivery())) {
			this.emails.count(jdbc, engagement(open, visitor))
				.ifPresent((engaged) -> this.events.record(jdbc, List.of(event(scope, engaged, visitor))));
		}
	}

	/**
	 * Records that a link was clicked, in a transaction of JDBC.
	 * @param url target of the link
	 */
	public void recordClick(JdbcClient jdbc, TrackingToken.Click click, String url, Visitor visitor) {
		Scope scope = Scope.of(click.accountId());
		if (isIgnored(click.delivery())) {
			return;
		}
		this.emails.count(jdbc, engagement(click, visitor)).ifPresent((engaged) -> {
			if (engaged.campaignId() != null && engaged.counted()) {
				this.campaigns.countClick(jdbc, scope, engaged.campaignId(), engaged.emailId(), click.link(), url);
			}
			this.events.record(jdbc, List.of(event(scope, engaged, visitor, url)));
		});
	}

	/** Whether the delivery has too many opens and clicks in this minute. */
	private boolean isIgnored(UUID delivery) {
		return this.recent.get(delivery, (_) -> new AtomicInteger()).incrementAndGet() > MAX_PER_MINUTE;
	}

	private static EmailRows.Engagement engagement(TrackingToken.Open open, Visitor visitor) {
		return new EmailRows.Engagement(open.accountId(), open.delivery(), false, visitor.opens());
	}

	private static EmailRows.Engagement engagement(TrackingToken.Click click, Visitor visitor) {
		return new EmailRows.Engagement(click.accountId(), click.delivery(), true, visitor.clicks());
	}

	private static Event event(Scope scope, EmailRows.Engaged engaged, Visitor visitor) {
		return event(scope, EventKind.EMAIL_OPENED, engaged, visitor, Map.of());
	}

	private static Event event(Scope scope, EmailRows.Engaged engaged, Visitor visitor, String url) {
		return event(scope, EventKind.EMAIL_CLICKED, engaged, visitor, Map.of("click", Map.of("url", url)));
	}

	private static Event event(Scope scope, EventKind kind, EmailRows.Engaged engaged, Visitor visitor,
			Map<String, Object> details) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("recipient", engaged.recipient());
		data.putAll(details);
		data.put("bot", !engaged.counted());
		data.put("user_agent", visitor.userAgent());
		return new Event(scope.account(), kind, engaged.emailId(), data);
	}

}
