package dev.mailroom.admin.email;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.inbound.InboundEmails;
import dev.mailroom.secret.Stamp;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** URLs of previews and of downloads. */
@Controller
class PreviewResolver {

	private static final Duration LIFETIME = Duration.ofMinutes(1);

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Refusal NOT_FOUND = Refusal.notFound("Inbound email not found");

	private final PreviewContent content;

	private final InboundEmails inbound;

	private final Stamp stamp;

	private final Clock clock;

	PreviewResolver(PreviewContent content, InboundEmails inbound, Stamp stamp, Clock clock) {
		this.content = content;
		this.inbound = inbound;
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

	/** Operators do not read the mail that an account received. */
	@SchemaMapping
	Mono<Download> inboundDownload(Viewer viewer, Caller caller, @Argument UUID id,
			@Argument @Nullable Integer position) {
		if (!viewer.scope().account().equals(caller.scope().account())) {
			return Mono.error(FORBIDDEN.because("Only the account may read mail that it received"));
		}
		return this.inbound.find(viewer.scope(), id)
			.filter((mail) -> position == null
					|| mail.files().stream().anyMatch((file) -> Integer.valueOf(file.position()).equals(position)))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("The mail has no attachment " + position)))
			.map((_) -> download(viewer, id, position));
	}

	private Download download(Viewer viewer, UUID id, @Nullable Integer position) {
		PreviewToken token = (position != null)
				? new PreviewToken(PreviewToken.Kind.INBOUND_FILE, viewer.scope().account(), id, position, end())
				: new PreviewToken(PreviewToken.Kind.INBOUND_SOURCE, viewer.scope().account(), id, end());
		return new Download("/download/" + token.text(this.stamp), token.expiresAt());
	}

	private Preview url(Viewer viewer, PreviewToken.Kind kind, UUID id) {
		PreviewToken token = new PreviewToken(kind, viewer.scope().account(), id, end());
		return new Preview("/preview/" + token.text(this.stamp), token.expiresAt());
	}

	private Instant end() {
		return this.clock.instant().plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS);
	}

	/** The URL of a download, relative to the admin port. */
	record Download(String url, Instant expiresAt) {
	}

	/** The URL of a preview, relative to the admin port. */
	record Preview(String url, Instant expiresAt) {
	}

}
