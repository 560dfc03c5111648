package dev.mailroom.mail.accept;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.draft.Mailbox;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Chooses the sender of mail that is sent for a whole account, mostly by a person. */
@Service
public class Senders {

	private static final String DEFAULT_LOCAL_PART = "no-reply@";

	private final Accounts accounts;

	private final Domains domains;

	Senders(Accounts accounts, Domains domains) {
		this.accounts = accounts;
		this.domains = domains;
	}

	/**
	 * The sender of a person's mail: the one given, or one of the account's oldest
	 * verified domain.
	 * @param from address, or Name &lt;address&gt;; null for any
	 * @throws Refused {@code Email not verified}, {@code Account paused},
	 * {@code Domain not verified}, {@code From domain mismatch} or
	 * {@code Invalid request data}
	 */
	public Mono<Sender> choose(Scope person, @Nullable String from) {
		return Mono.defer(() -> {
			@Nullable Mailbox mailbox = (from != null) ? read(from) : null;
			return domain(person, (mailbox != null) ? mailbox.address().domain() : "")
				.map((domain) -> sender(person, domain, mailbox));
		});
	}

	/**
	 * The default sender of a domain if it is verified, or else of the account's oldest
	 * verified domain.
	 * @throws Refused {@code Email not verified}, {@code Account paused} or
	 * {@code Domain not verified}
	 */
	Mono<Sender> preferring(Scope person, String domain) {
		return domain(person, domain).map((found) -> sender(person, found, null));
	}

	private Mono<Domain.Sending> domain(Scope person, String name) {
		return this.accounts.find(person)
			.doOnNext(Senders::check)
			.flatMap((_) -> this.domains.sendable(person, name))
			.switchIfEmpty(Mono.error(() -> EmailRefusals.DOMAIN_NOT_VERIFIED
				.because("The account has no verified domain to send from: add one, then POST /domains/:id/verify")));
	}

	private static void check(Account account) {
		@Nullable Refused refused = SendPolicy.checkAccount(account.emailVerified(), account.pausedReason());
		if (refused != null) {
			throw refused;
		}
	}

	private static Sender sender(Scope person, Domain.Sending domain, @Nullable Mailbox mailbox) {
		if (mailbox != null && !mailbox.address().domain().equals(domain.name())) {
			throw EmailRefusals.FROM_MISMATCH
				.because("from must be of one of the account's verified domains, and is " + mailbox);
		}
		return new Sender(person.within(domain.id()),
				(mailbox != null) ? mailbox.toString() : DEFAULT_LOCAL_PART + domain.name(), domain.linkHost());
	}

	private static Mailbox read(String from) {
		return Mailbox.parse(from).orElseThrow(() -> {
			String message = "must be one address, or one Name <address>, without line breaks";
			return Refusal.INVALID_REQUEST.field("from", message);
		});
	}

	/**
	 * Sender of a mail.
	 *
	 * @param scope the account, narrowed to the domain
	 * @param from the From header
	 * @param linkHost the tracking domain of the domain; null for the shared name
	 */
	public record Sender(Scope scope, String from, @Nullable String linkHost) {
	}

}
