package dev.mailroom.worker.compose;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refused;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Merge;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.template.Content;
import dev.mailroom.tracking.LinkTarget;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Bodies of campaigns, parsed once for all of their mails: tracked links and the tracking
 * pixel become placeholders beside those of the campaign.
 */
@Component
class CampaignBodies {

	/** Characters of the bodies in the cache. */
	private static final long MAX_CACHED = 4L * 1024 * 1024;

	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	/** Names of placeholders that the bodies of campaigns cannot set. */
	private static final String OPEN_URL = "_mailroom.open";

	private static final String CLICK_URL = "_mailroom.click.";

	private final Links links;

	private final Cache<Key, Body> cache = Caffeine.newBuilder()
		.maximumWeight(MAX_CACHED)
		.weigher((Key _, Body body) -> body.length())
		.expireAfterAccess(CACHED_FOR)
		.build();

	CampaignBodies(Links links) {
		this.links = links;
	}

	/** The body of a campaign's mail; parses the HTML the first time. */
	Body of(HandOver handOver) {
		Merge merge = Objects.requireNonNull(handOver.merge());
		return this.cache.get(new Key(merge.campaignId(), handOver.openTracking(), handOver.clickTracking()),
				(key) -> parse(key, handOver.mail()));
	}

	private Body parse(Key key, StoredMail mail) {
		try {
			@Nullable String html = mail.html();
			if (html == null || !(key.opens() || key.clicks())) {
				return new Body(new Content(null, html, mail.text()), Map.of(), false, length(mail));
			}
			HtmlLinks parsed = HtmlLinks.of(html);
			if (key.clicks() && parsed.hasPersonalLinks()) {
				return new Body(new Content(null, html, mail.text()), Map.of(), true, length(mail));
			}
			Map<LinkTarget, String> names = new LinkedHashMap<>();
			if (key.clicks()) {
				parsed.targets()
					.stream()
					.filter((target) -> !this.links.isOwn(target))
					.forEach((target) -> names.put(target, CLICK_URL + names.size()));
			}
			ComposeLimits.checkLinks(names.size());
			String pixel = key.opens() ? RecipientRendering.PIXEL.formatted("{{" + OPEN_URL + "}}") : "";
			String tracked = parsed
				.with((target) -> Optional.ofNullable(names.get(target)).map((name) -> "{{" + name + "}}"), pixel);
			return new Body(new Content(null, tracked, mail.text()), names, false, length(mail));
		}
		catch (IllegalArgumentException ex) {
			throw new Unrenderable("The content of the campaign cannot be read", ex);
		}
	}

	private static int length(StoredMail mail) {
		return 1000 + length(mail.html()) + length(mail.text());
	}

	private static int length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	/** A parsed body. */
	final class Body {

		private final Content content;

		/** Placeholders of the tracked links. */
		private final Map<LinkTarget, String> names;

		private final boolean hasPersonalLinks;

		private final int length;

		private Body(Content content, Map<LinkTarget, String> names, boolean hasPersonalLinks, int length) {
			this.content = content;
			this.names = names;
			this.hasPersonalLinks = hasPersonalLinks;
			this.length = length;
		}

		int length() {
			return this.length;
		}

		/** Whether the rendered HTML is still to be parsed for its links. */
		boolean hasPersonalLinks() {
			return this.hasPersonalLinks;
		}

		/** Targets of the tracked links. */
		Set<LinkTarget> targets() {
			return this.names.keySet();
		}

		/** The mail with the bodies for its recipient. */
		StoredMail render(HandOver handOver) {
			Merge merge = Objects.requireNonNull(handOver.merge());
			UUID account = handOver.accountId();
			UUID delivery = handOver.lease().delivery();
			Links links = CampaignBodies.this.links;
			Map<String, String> values = new HashMap<>(merge.values());
			@Nullable UUID contact = handOver.contactId();
			if (contact != null) {
				values.put("unsubscribe_url", links.unsubscribeUrl(account, contact, merge.campaignId()));
			}
			this.names.forEach((target, name) -> values.put(name, links.clickUrl(account, delivery, target)));
			if (handOver.openTracking()) {
				values.put(OPEN_URL, links.openUrl(account, delivery));
			}
			try {
				Content.Rendered rendered = this.content.render(values);
				return handOver.mail().with(rendered.html(), rendered.text());
			}
			catch (Refused refused) {
				throw new Unrenderable(refused.message());
			}
		}

	}

	private record Key(UUID campaignId, boolean opens, boolean clicks) {
	}

}
