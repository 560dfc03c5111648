package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Contents of campaigns that have started, and which therefore do not change. They are
 * loaded once for many mails.
 */
@Service
public class CampaignContents {

	/** Characters of the contents in the cache. */
	private static final long MAX_CACHED = 4L * 1024 * 1024;

	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	private final CampaignContentStore store;

	private final Cache<UUID, CampaignContent> cache = Caffeine.newBuilder()
		.maximumWeight(MAX_CACHED)
		.weigher((UUID _, CampaignContent content) -> content.length())
		.expireAfterWrite(CACHED_FOR)
		.build();

	CampaignContents(CampaignContentStore store) {
		this.store = store;
	}

	/**
	 * The contents of campaigns by id, without those that were deleted. The caller has
	 * opened the transaction.
	 */
	public Mono<Map<UUID, CampaignContent>> of(Collection<UUID> campaigns) {
		Map<UUID, CampaignContent> contents = new HashMap<>(this.cache.getAllPresent(campaigns));
		Set<UUID> missing = campaigns.stream().filter((id) -> !contents.containsKey(id)).collect(Collectors.toSet());
		return missing.isEmpty() ? Mono.just(contents)
				: this.store.contents(missing)
					.doOnNext((content) -> this.cache.put(content.campaignId(), content))
					.doOnNext((content) -> contents.put(content.campaignId(), content))
					.then(Mono.just(contents));
	}

	/**
	 * Content of a campaign with placeholders, shared by its mails.
	 *
	 * @param html null if there is none
	 * @param text null if there is none
	 */
	public record CampaignContent(UUID campaignId, String subject, @Nullable String html, @Nullable String text) {

		private int length() {
			return 1000 + length(this.html) + length(this.text);
		}

		private static int length(@Nullable String text) {
			return (text != null) ? text.length() : 0;
		}

	}

}
