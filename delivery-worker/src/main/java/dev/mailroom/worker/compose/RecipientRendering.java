package dev.mailroom.worker.compose;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refused;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.template.Content;
import dev.mailroom.tracking.LinkTarget;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Adds a recipient's personal content to a mail: the placeholders of a campaign, tracked
 * links, a tracking pixel, and the header fields for one-click unsubscription (RFC 8058).
 * The result is the same for each attempt. Bodies of campaigns are parsed once for all of
 * their mails: tracked links and the tracking pixel become placeholders beside those of
 * the campaign.
 */
@Component
class RecipientRendering {

	/** Characters of the campaigns' bodies in the cache. */
	private static final long MAX_CACHED = 4L * 1024 * 1024;

	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	/** Invisible image, ignored by screen readers. */
	private static final String PIXEL = "<img src=\"%s\" alt=\"\" width=\"1\" height=\"1\" border=\"0\" "
			+ "style=\"height:1px!important;width:1px!important;border-width:0!important;margin:0!important;"
			+ "padding:0!important\">";

	/** Names of placeholders that the bodies of campaigns cannot set. */
	private static final String OPEN_URL = "_mailroom.open";

	private static final String CLICK_URL = "_mailroom.click.";

	private static final Set<String> UNSUBSCRIBE_FIELDS = Set.of("list-unsubscribe", "list-unsubscribe-post");

	private final Links links;

	private final Cache<CampaignKey, CampaignBody> campaignBodies = Caffeine.newBuilder()
		.maximumWeight(MAX_CACHED)
		.weigher((CampaignKey _, CampaignBody body) -> body.length())
		.expireAfterAccess(CACHED_FOR)
		.build();

	RecipientRendering(Links links) {
		this.links = links;
	}

	/** Renders or parses the HTML; takes processor time in proportion to its length. */
	PersonalMail of(HandOver handOver) {
		ComposeLimits.check(handOver.mail());
		if (handOver.merge() == null) {
			return tracked(handOver);
		}
		CampaignBody body = campaignBody(handOver);
		HandOver rendered = handOver.with(render(body, handOver));
		return body.hasPersonalLinks() ? tracked(rendered) : new PersonalMail(rendered, null, body.targets());
	}

	private PersonalMail tracked(HandOver handOver) {
		@Nullable String html = handOver.mail().html();
		if (html == null || !(handOver.openTracking() || handOver.clickTracking())) {
			return new PersonalMail(handOver, null, Set.of());
		}
		HtmlLinks parsed = HtmlLinks.of(html);
		Set<LinkTarget> targets = handOver.clickTracking() ? trackedTargets(parsed, handOver.linkHost()) : Set.of();
		ComposeLimits.checkLinks(targets.size());
		return new PersonalMail(handOver, parsed, targets);
	}

	private Set<LinkTarget> trackedTargets(HtmlLinks parsed, @Nullable String host) {
		return parsed.targets()
			.stream()
			.filter((target) -> !this.links.isOwn(host, target))
			.collect(Collectors.toSet());
	}

	/** The body of a campaign's mail; parses the HTML the first time. */
	CampaignBody campaignBody(HandOver handOver) {
		HandOver.Merge merge = Objects.requireNonNull(handOver.merge());
		return this.campaignBodies.get(
				new CampaignKey(merge.campaignId(), handOver.openTracking(), handOver.clickTracking()),
				(key) -> parse(key, handOver.mail()));
	}

	private CampaignBody parse(CampaignKey key, StoredMail mail) {
		try {
			@Nullable String html = mail.html();
			if (html == null || !(key.opens() || key.clicks())) {
				return new CampaignBody(new Content(null, html, mail.text()), Map.of(), false, length(mail));
			}
			HtmlLinks parsed = HtmlLinks.of(html);
			if (key.clicks() && parsed.hasPersonalLinks()) {
				return new CampaignBody(new Content(null, html, mail.text()), Map.of(), true, length(mail));
			}
			Map<LinkTarget, String> names = new LinkedHashMap<>();
			if (key.clicks()) {
				parsed.targets()
					.stream()
					.filter((target) -> !this.links.isOwn(null, target))
					.forEach((target) -> names.put(target, CLICK_URL + names.size()));
			}
			ComposeLimits.checkLinks(names.size());
			String pixel = key.opens() ? PIXEL.formatted("{{" + OPEN_URL + "}}") : "";
			String tracked = parsed
				.with((target) -> Optional.ofNullable(names.get(target)).map((name) -> "{{" + name + "}}"), pixel);
			return new CampaignBody(new Content(null, tracked, mail.text()), names, false, length(mail));
		}
		catch (IllegalArgumentException ex) {
			throw new Composer.Unrenderable("The content of the campaign cannot be read", ex);
		}
	}

	private static int length(StoredMail mail) {
		return 1000 + length(mail.html()) + length(mail.text());
	}

	private static int length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	/** The mail with the bodies of the campaign for its recipient. */
	private StoredMail render(CampaignBody body, HandOver handOver) {
		HandOver.Merge merge = Objects.requireNonNull(handOver.merge());
		UUID account = handOver.accountId();
		UUID delivery = handOver.lease().delivery();
		@Nullable String host = handOver.linkHost();
		Map<String, String> values = new HashMap<>(merge.values());
		@Nullable UUID contact = handOver.contactId();
		if (contact != null) {
			values.put("unsubscribe_url", this.links.unsubscribeUrl(host, account, contact, merge.campaignId()));
		}
		body.names().forEach((target, name) -> values.put(name, this.links.clickUrl(host, account, delivery, target)));
		if (handOver.openTracking()) {
			values.put(OPEN_URL, this.links.openUrl(host, account, delivery));
		}
		try {
			Content.Rendered rendered = body.content().render(values);
			return handOver.mail().with(rendered.html(), rendered.text());
		}
		catch (Refused refused) {
			throw new Composer.Unrenderable(refused.message());
		}
	}

	private Map<String, String> headers(HandOver handOver) {
		@Nullable UUID contact = handOver.contactId();
		if (contact == null) {
			return handOver.mail().headers();
		}
		Map<String, String> headers = new LinkedHashMap<>(handOver.mail().headers());
		headers.keySet().removeIf((name) -> UNSUBSCRIBE_FIELDS.stream().anyMatch(name::equalsIgnoreCase));
		headers.put("List-Unsubscribe", "<" + unsubscribeUrl(handOver, contact) + ">");
		headers.put("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
		return headers;
	}

	private String unsubscribeUrl(HandOver handOver, UUID contact) {
		HandOver.@Nullable Merge merge = handOver.merge();
		return this.links.unsubscribeUrl(handOver.linkHost(), handOver.accountId(), contact,
				(merge != null) ? merge.campaignId() : null);
	}

	/** A mail with personal content whose HTML is parsed. */
	final class PersonalMail {

		private final HandOver handOver;

		private final @Nullable HtmlLinks parsed;

		private final Set<LinkTarget> targets;

		private PersonalMail(HandOver handOver, @Nullable HtmlLinks parsed, Set<LinkTarget> targets) {
			this.handOver = handOver;
			this.parsed = parsed;
			this.targets = targets;
		}

		/** Stores the targets of the tracked links. */
		void store() {
			RecipientRendering.this.links.store(this.handOver.accountId(), this.targets);
		}

		/** The personal mail; takes processor time in proportion to its length. */
		StoredMail mail() {
			StoredMail mail = this.handOver.mail();
			@Nullable String html = (this.parsed != null) ? tracked(this.parsed) : mail.html();
			return new StoredMail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(), html,
					mail.text(), headers(this.handOver), mail.attachments(), mail.createdAt(), mail.stream());
		}

		private String tracked(HtmlLinks parsed) {
			UUID account = this.handOver.accountId();
			UUID delivery = this.handOver.lease().delivery();
			Links links = RecipientRendering.this.links;
			@Nullable String host = this.handOver.linkHost();
			String pixel = this.handOver.openTracking() ? PIXEL.formatted(links.openUrl(host, account, delivery)) : "";
			return parsed.with((target) -> this.targets.contains(target)
					? Optional.of(links.clickUrl(host, account, delivery, target)) : Optional.empty(), pixel);
		}

	}

	/**
	 * A parsed body of a campaign.
	 *
	 * @param names placeholders of the tracked links
	 * @param hasPersonalLinks whether the rendered HTML is still to be parsed for its
	 * links
	 */
	record CampaignBody(Content content, Map<LinkTarget, String> names, boolean hasPersonalLinks, int length) {

		/** Targets of the tracked links. */
		Set<LinkTarget> targets() {
			return this.names.keySet();
		}

	}

	private record CampaignKey(UUID campaignId, boolean opens, boolean clicks) {
	}

}
