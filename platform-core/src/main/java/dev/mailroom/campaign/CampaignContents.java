package dev.mailroom.campaign;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.uuid.NoArgGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.campaign.AudienceStore.Candidate;
import dev.mailroom.campaign.CampaignPageStore.Recipient;
import dev.mailroom.template.Content;
import dev.mailroom.template.Variables;
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

	private final CampaignPageStore store;

	private final Cache<UUID, CampaignContent> cache = Caffeine.newBuilder()
		.maximumWeight(MAX_CACHED)
		.weigher((UUID _, CampaignContent content) -> content.length())
		.expireAfterWrite(CACHED_FOR)
		.build();

	CampaignContents(CampaignPageStore store) {
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

	/** Creates the recipients of one campaign with the values of its placeholders. */
	static final class Merging {

		private final Content subject;

		private final List<String> names;

		Merging(@Nullable CampaignContent content) {
			this.subject = new Content((content != null) ? content.subject() : "", null, null);
			this.names = (content != null) ? new Content(content.subject(), content.html(), content.text()).variables()
					: List.of();
		}

		/** The recipients among contacts; those that are skipped have no mail. */
		List<Recipient> recipients(List<Candidate> contacts, NoArgGenerator ids) {
			return contacts.stream()
				.filter(Candidate::found)
				.map((contact) -> contact.getsMail() ? recipient(contact, ids.generate())
						: new Recipient(contact.id(), null, null, null, Map.of()))
				.toList();
		}

		private Recipient recipient(Candidate candidate, UUID emailId) {
			Map<String, String> values = new HashMap<>();
			for (String name : this.names) {
				value(candidate, name).ifPresent((value) -> values.put(name, value));
			}
			String address = EmailAddress.parse(candidate.email())
				.map(EmailAddress::toString)
				.orElse(candidate.email());
			return new Recipient(candidate.id(), emailId, address, subject(values), values);
		}

		private String subject(Map<String, String> values) {
			try {
				return String.valueOf(this.subject.render(values).subject());
			}
			catch (Refused _) {
				// The values make it too long, or contain line breaks.
				return String.valueOf(this.subject.render(Map.of()).subject());
			}
		}

		private static Optional<String> value(Candidate candidate, String name) {
			return switch (name) {
				case "email" -> Optional.of(candidate.email());
				case "first_name" -> Optional.of(candidate.firstName());
				case "last_name" -> Optional.of(candidate.lastName());
				default -> Variables.text(candidate.properties().get(name));
			};
		}

	}

}
