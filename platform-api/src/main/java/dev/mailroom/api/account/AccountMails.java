package dev.mailroom.api.account;

import java.time.Duration;

import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Secret;
import dev.mailroom.api.http.LoggedRequestId;
import dev.mailroom.notice.PlatformMail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Writes the mails that accounts are owed, and hands them to Mailroom itself. */
@Component
class AccountMails {

	private static final Logger log = LoggerFactory.getLogger(AccountMails.class);

	/** Longer than any mail takes to be handed over. */
	private static final Duration UNHURRIED = Duration.ofMillis(300);

	private final PlatformMail mail;

	private final AccountMailSettings settings;

	AccountMails(PlatformMail mail, AccountMailSettings settings) {
		this.mail = mail;
		this.settings = settings;
	}

	/**
	 * Sends what is owed, if anything is. Neither the time it takes nor a mail that
	 * cannot be sent tells whether the address is known; the owner can ask for another.
	 */
	Mono<Void> send(Mono<AccountNotice> owed) {
		return Mono.when(owed.flatMap(this::post), Mono.delay(UNHURRIED));
	}

	private Mono<Void> post(AccountNotice letter) {
		return this.mail.send(letter.to(), subject(letter), text(letter))
			.onErrorResume((error) -> Mono.deferContextual((context) -> {
				LoggedRequestId.with(context, () -> log.error("A mail to an account's owner was not sent", error));
				return Mono.empty();
			}));
	}

	private static String subject(AccountNotice letter) {
		return switch (letter) {
			case AccountNotice.VerifyAddress _ -> "Verify your e-mail address";
			case AccountNotice.ResetPassword _ -> "Choose a new password";
			case AccountNotice.AlreadyRegistered _ -> "You already have an account";
		};
	}

	private String text(AccountNotice letter) {
		return switch (letter) {
			case AccountNotice.VerifyAddress(var _, Secret token) -> """
					Welcome to Mailroom.

					Open this link within a day to show that this address is yours:

					%s/verify-email?token=%s

					If you did not register, do nothing.
					""".formatted(this.settings.appUrl(), token.text());
			case AccountNotice.ResetPassword(var _, Secret token) -> """
					Somebody, probably you, forgot the password of your Mailroom account.

					Open this link within an hour to choose a new one:

					%s/reset-password?token=%s

					It signs you out everywhere. If it was not you, do nothing: your password stays.
					""".formatted(this.settings.appUrl(), token.text());
			case AccountNotice.AlreadyRegistered _ -> """
					Somebody, probably you, wanted to register with this address. It has an account already.

					Sign in: %1$s/login
					If you do not remember the password: %1$s/forgot-password

					If it was not you, do nothing: they have learned nothing.
					""".formatted(this.settings.appUrl());
		};
	}

}
