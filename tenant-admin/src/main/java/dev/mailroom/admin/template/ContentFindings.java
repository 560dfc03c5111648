package dev.mailroom.admin.template;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.check.ContentChecks;
import dev.mailroom.check.ContentFinding;
import dev.mailroom.image.Images;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Checks of content that may show images of its account. */
@Component
public class ContentFindings {

	private final Images images;

	private final Links links;

	ContentFindings(Images images, Links links) {
		this.images = images;
		this.links = links;
	}

	/**
	 * The findings of content.
	 * @param campaign whether it is that of a campaign
	 */
	public Mono<List<ContentFinding>> of(Scope scope, boolean campaign, @Nullable String subject, @Nullable String html,
			@Nullable String text) {
		Mono<Map<UUID, Integer>> sizes = (html != null && html.contains("/image/")) ? this.images.sizes(scope)
				: Mono.just(Map.of());
		return sizes.map((bytes) -> ContentChecks
			.of(new ContentChecks.Source(campaign, subject, html, text, byUrl(scope, bytes))));
	}

	private Map<String, Integer> byUrl(Scope scope, Map<UUID, Integer> sizes) {
		return sizes.entrySet()
			.stream()
			.collect(Collectors.toMap((size) -> this.links.imageUrl(scope.account(), size.getKey()),
					Map.Entry::getValue));
	}

}
