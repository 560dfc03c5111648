package dev.mailroom.email;

import java.time.Clock;
import java.util.List;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The platform's own mail, such as the one that verifies an address: sent like any
 * tenant's, over the platform's domain.
 */
@Service
public class PlatformMail {

	private final Emails emails;

	private final Clock clock;

	PlatformMail(Emails emails, Clock clock) {
		this.emails = emails;
		this.clock = clock;
	}

	/**
	 * Sends a mail of plain text.
	 * @param platform the platform's account and domain
	 * @param from who it comes from, at that domain
	 */
	public Mono<Void> send(Scope platform, String from, String to, String subject, String text) {
		return Mono.defer(() -> {
			Submission mail = new Submission(from, List.of(to), null, null, null, subject, null, text, null, null, null,
					null, null, null);
			return this.emails.accept(Request.of(platform, Drafting.draft(mail, this.clock.instant()))).then();
		});
	}

}
