package dev.mailroom.upkeep;

import java.util.List;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.Throttle;
import dev.mailroom.brand.Letter;
import dev.mailroom.inbound.ForwardTarget;
import dev.mailroom.inbound.ForwardTargets;
import dev.mailroom.mail.accept.SendPolicy;
import dev.mailroom.secret.SealedText;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Asks the owners of forward targets to confirm. An address that was sent too many such
 * mails or invitations gets no more for a while.
 */
@Service
public class ForwardMails {

	private static final String TITLE = "Confirm that mail is forwarded to you";

	private static final String TEXT = "%s wants mail that arrives at its own addresses to be forwarded to this address, "
			+ "%s. Confirm within a week, on the page that this link opens.";

	private static final String OTHERWISE = "If you do not expect this, do nothing: no mail is forwarded to you.";

	private final ForwardTargets targets;

	private final Throttle throttle;

	private final Accounts accounts;

	private final PlatformMail mail;

	private final Links links;

	private final SealedText sealed;

	ForwardMails(ForwardTargets targets, Throttle throttle, Accounts accounts, PlatformMail mail, Links links,
			SealedText sealed) {
		this.targets = targets;
		this.throttle = throttle;
		this.accounts = accounts;
		this.mail = mail;
		this.links = links;
		this.sealed = sealed;
	}

	/**
	 * Adds a target, and asks its owner unless it is at a verified domain of the account.
	 * @throws dev.mailroom.Refused {@code Email not verified}, {@code Account paused}, or
	 * an error of {@link ForwardTargets#create}
	 */
	public Mono<ForwardTarget> create(Scope scope, @Nullable String address) {
		return this.accounts.find(scope)
			.doOnNext(ForwardMails::check)
			.flatMap((_) -> this.targets.create(scope, address))
			.delayUntil((target) -> ask(scope, target));
	}

	/** An account that may not send causes no mail to strangers either. */
	private static void check(Account account) {
		@Nullable Refused refused = SendPolicy.checkAccount(account.emailVerified(), account.pausedReason());
		if (refused != null) {
			throw refused;
		}
	}

	/**
	 * Asks the owner of a target again.
	 * @throws dev.mailroom.Refused {@code Email not verified}, {@code Account paused}, or
	 * an error of {@link ForwardTargets#resend}
	 */
	public Mono<ForwardTarget> resend(Scope scope, UUID id) {
		return this.accounts.find(scope)
			.doOnNext(ForwardMails::check)
			.flatMap((_) -> this.targets.resend(scope, id))
			.delayUntil((target) -> ask(scope, target));
	}

	private Mono<Void> ask(Scope scope, ForwardTarget target) {
		EmailAddress address = EmailAddress.parse(target.address()).orElseThrow();
		return target.confirmed() ? Mono.empty()
				: this.throttle.countMail(address)
					.filter(Boolean::booleanValue)
					.flatMap((_) -> this.accounts.find(scope))
					.flatMap((account) -> this.mail.send(target.address(), letter(account, target)));
	}

	private Letter letter(Account account, ForwardTarget target) {
		String owner = account.name().isEmpty() ? account.email() : account.name() + " (" + account.email() + ")";
		return new Letter(TITLE, List.of(TEXT.formatted(owner, target.address())),
				new Letter.Button("Confirm", sealed(this.links.forwardUrl(target.accountId(), target.id()), target)),
				List.of(OTHERWISE));
	}

	/** A link without its token, which is inserted when the mail is sent. */
	private String sealed(String link, ForwardTarget target) {
		int token = link.lastIndexOf('/') + 1;
		return link.substring(0, token) + this.sealed.seal(link.substring(token), Account.PLATFORM, target.address());
	}

}
