package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.database.RowColumns;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Contents of campaigns that have started, and which therefore do not change. They are
 * loaded once for many mails.
 */
@Service
class CampaignContents {

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
	Map<UUID, CampaignContent> of(JdbcClient jdbc, Collection<UUID> campaigns) {
		Map<UUID, CampaignContent> contents = cached(campaigns);
		UUID[] missing = missing(campaigns, contents);
		return (missing.length == 0) ? contents : added(contents, this.store.contents(jdbc, missing));
	}

	private Map<UUID, CampaignContent> cached(Collection<UUID> campaigns) {
		return new HashMap<>(this.cache.getAllPresent(campaigns));
	}

	private static UUID[] missing(Collection<UUID> campaigns, Map<UUID, CampaignContent> contents) {
		return campaigns.stream().filter((id) -> !contents.containsKey(id)).distinct().toArray(UUID[]::new);
	}

	private Map<UUID, CampaignContent> added(Map<UUID, CampaignContent> contents, List<CampaignContent> loaded) {
		for (CampaignContent content : loaded) {
			this.cache.put(content.campaignId(), content);
			contents.put(content.campaignId(), content);
		}
		return contents;
	}

	/**
	 * Content of a campaign with placeholders, shared by its mails.
	 *
	 * @param html null if there is none
	 * @param text null if there is none
	 */
	public record CampaignContent(UUID campaignId, String subject, @Nullable String html, @Nullable String text) {

		static CampaignContent of(Readable row) {
			return new CampaignContent(RowColumns.value(row, "campaign_id", UUID.class),
					RowColumns.text(row, "subject"), row.get("html", String.class), row.get("text", String.class));
		}

		private int length() {
			return 1000 + length(this.html) + length(this.text);
		}

		private static int length(@Nullable String text) {
			return (text != null) ? text.length() : 0;
		}

	}

}
