package dev.mailroom.upkeep;

import java.util.List;
import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.Colour;
import dev.mailroom.brand.Language;
import dev.mailroom.brand.Letter;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sends the platform's own mail. It is accepted and delivered like a tenant's, over the
 * platform's domain.
 */
@Service
class PlatformMail {

	private static final String SENDER = "Mailroom <no-reply@%s>";

	private static final Brand BRAND = new Brand("Mailroom", new Colour(0x0f766e), "", List.of(Language.EN), null);

	/** Route under which the names of mails are claimed. */
	private static final String ROUTE = "platform mail";

	private final Submissions submissions;

	private final Accounts accounts;

	private final PlatformDomain domain;

	PlatformMail(Submissions submissions, Accounts accounts, PlatformDomain domain) {
		this.submissions = submissions;
		this.accounts = accounts;
		this.domain = domain;
	}

	/** Sends a mail. Completes when it is accepted. */
	Mono<Void> send(String to, Letter letter) {
		return send(to, letter, null);
	}

	/**
	 * Sends a mail, unless one of the same name was sent within 24 hours.
	 * @param name up to 256 characters that identify the mail's occasion
	 */
	Mono<Void> sendOnce(String name, String to, Letter letter) {
		return send(to, letter, new Claim(Account.PLATFORM, ROUTE, name, ""));
	}

	/** Like {@link #sendOnce}; waits on the calling thread until the mail is accepted. */
	void sendOnceAndWait(String name, String to, Letter letter) {
		sendOnce(name, to, letter).block();
	}

	private Mono<Void> send(String to, Letter letter, @Nullable Claim claim) {
		return domain().flatMap((domain) -> {
			MailContent content = new MailContent(letter.title(), letter.html(BRAND, null), letter.text(BRAND),
					List.of(), Map.of(), Map.of(), false, false);
			Submission mail = Submission.of(SENDER.formatted(domain.name()), List.of(to), content);
			return this.submissions.send(Channel.PLATFORM, Scope.of(Account.PLATFORM).within(domain.id()), mail, claim)
				.then();
		});
	}

	/** The sending domain, created here if the first mail precedes the bootstrap. */
	private Mono<Domain> domain() {
		return this.domain.find(Account.PLATFORM)
			.switchIfEmpty(Mono.defer(
					() -> this.accounts.ensurePlatform().then(Mono.defer(() -> this.domain.ensure(Account.PLATFORM)))));
	}

}
