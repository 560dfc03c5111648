package dev.mailroom.notice;

import java.time.Clock;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.email.Emails;
import dev.mailroom.idempotency.Claim;
import dev.mailroom.submission.Drafting;
import dev.mailroom.submission.Submission;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The platform's own mail, such as the one that verifies an address: sent like any
 * tenant's, over the platform's domain.
 */
@Service
public class PlatformMail {

	private static final String SENDER = "Mailroom <no-reply@%s>";

	private final Emails emails;

	private final Accounts accounts;

	private final PlatformDomain domain;

	private final Clock clock;

	PlatformMail(Emails emails, Accounts accounts, PlatformDomain domain, Clock clock) {
		this.emails = emails;
		this.accounts = accounts;
		this.domain = domain;
		this.clock = clock;
	}

	/** Sends a mail of plain text. It is in the queue when this is done. */
	public Mono<Void> send(String to, String subject, String text) {
		return sender().flatMap((domain) -> this.emails.accept(request(domain, to, subject, text)).then());
	}

	/**
	 * Sends a mail of plain text, and within a day no other of the same name.
	 * @param name up to 256 characters that tell what it is about
	 */
	public Mono<Void> sendOnce(String name, String to, String subject, String text) {
		return sender().flatMap((domain) -> {
			SendRequest mail = request(domain, to, subject, text);
			Claim claim = new Claim(Account.PLATFORM, "platform mail", name, "");
			return this.emails.accept(new SendRequest(mail.scope(), mail.mails(), false, claim, mail.answer())).then();
		});
	}

	private SendRequest request(Domain domain, String to, String subject, String text) {
		Submission mail = new Submission(SENDER.formatted(domain.name()), List.of(to), null, null, null, subject, null,
				text, null, null, null, null, null, null);
		return SendRequest.of(new Scope(Account.PLATFORM, domain.id(), null),
				Drafting.draft(mail, this.clock.instant()));
	}

	/**
	 * Where it comes from. In the first moments after the first start nobody has made it
	 * yet: then the mail that needs it does.
	 */
	private Mono<Domain> sender() {
		return this.domain.find(Account.PLATFORM)
			.switchIfEmpty(Mono.defer(
					() -> this.accounts.ensurePlatform().then(Mono.defer(() -> this.domain.ensure(Account.PLATFORM)))));
	}

}
