package dev.mailroom.admin.preview;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.authentication.Caller;
import dev.mailroom.seal.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** URLs of previews. */
@Controller
class PreviewController {

	private static final Duration LIFETIME = Duration.ofMinutes(1);

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final PreviewContent content;

	private final Stamp stamp;

	private final Clock clock;

	PreviewController(PreviewContent content, Stamp stamp, Clock clock) {
		this.content = content;
		this.stamp = stamp;
		this.clock = clock;
	}

	/** An operator who watches an account reads content with a reason instead. */
	@SchemaMapping
	Mono<Preview> preview(Viewer viewer, Caller caller, @Argument PreviewToken.Kind kind, @Argument UUID id) {
		if (!viewer.scope().account().equals(caller.scope().account())) {
			return Mono.error(FORBIDDEN.because("Only the account may see previews of its mail"));
		}
		return this.content.find(viewer.scope(), kind, id).map((_) -> url(viewer, kind, id));
	}

	@SchemaMapping
	Preview draftPreview(Viewer viewer) {
		return url(viewer, PreviewToken.Kind.DRAFT, viewer.scope().account());
	}

	private Preview url(Viewer viewer, PreviewToken.Kind kind, UUID id) {
		Instant expiresAt = this.clock.instant().plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS);
		PreviewToken token = new PreviewToken(kind, viewer.scope().account(), id, expiresAt);
		return new Preview("/preview/" + token.text(this.stamp), expiresAt);
	}

	/** The URL of a preview, relative to the admin port. */
	record Preview(String url, Instant expiresAt) {
	}

}
