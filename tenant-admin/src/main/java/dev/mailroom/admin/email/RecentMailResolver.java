package dev.mailroom.admin.email;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.mail.log.RecentFigures;
import dev.mailroom.mail.log.RecentMails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Counts of the newest emails. */
@Controller
class RecentMailResolver {

	private static final int MAX_HOURS = 48;

	private final RecentMails mails;

	RecentMailResolver(RecentMails mails) {
		this.mails = mails;
	}

	@SchemaMapping
	Mono<RecentFigures> recentFigures(Viewer viewer, @Argument int hours, @Argument @Nullable UUID domainId) {
		return Mono.defer(() -> {
			if (hours < 1 || hours > MAX_HOURS) {
				String message = "must be a whole number from 1 to " + MAX_HOURS;
				throw Refusal.INVALID_REQUEST.field("hours", message);
			}
			return this.mails.figures(viewer.scope(), domainId, hours);
		});
	}

}
