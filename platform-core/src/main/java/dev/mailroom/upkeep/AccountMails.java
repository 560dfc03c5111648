package dev.mailroom.upkeep;

import dev.mailroom.account.Account;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Secret;
import dev.mailroom.secret.SealedText;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/** Sends the mail of registration and of password resets. */
@Service
public class AccountMails {

	private final PlatformMail mail;

	private final SealedText sealed;

	private final Settings settings;

	AccountMails(PlatformMail mail, SealedText sealed, Settings settings) {
		this.sealed = sealed;
		this.mail = mail;
		this.settings = settings;
	}

	/** Sends a notice to its account's owner. Completes when the mail is accepted. */
	public Mono<Void> send(AccountNotice notice) {
		return this.mail.send(notice.to(), subject(notice), text(notice));
	}

	private static String subject(AccountNotice notice) {
		return switch (notice) {
			case AccountNotice.VerifyAddress _ -> "Verify your e-mail address";
			case AccountNotice.ResetPassword _ -> "Choose a new password";
			case AccountNotice.JoinTeam _ -> "You are invited to an account of Mailroom";
			case AccountNotice.AlreadyRegistered _ -> "You already have an account";
			case AccountNotice.SecondFactorAdded _ -> "A second factor was set up";
		};
	}

	private String text(AccountNotice notice) {
		return switch (notice) {
			case AccountNotice.VerifyAddress(var _, var token) -> """
					Welcome to Mailroom.

					Open this link within a day to show that this address is yours:

					%s/verify-email?token=%s

					If you did not register, do nothing.
					""".formatted(this.settings.appUrl(), sealed(token, notice.to()));
			case AccountNotice.ResetPassword(var _, var token) -> """
					A new password was requested for your Mailroom account, probably by you.

					Open this link within an hour to choose a new one:

					%s/reset-password?token=%s

					It signs you out everywhere. If the address was never verified, you start with an empty account.
					If it was not you, do nothing: your password stays.
					""".formatted(this.settings.appUrl(), sealed(token, notice.to()));
			case AccountNotice.JoinTeam(var _, var token) -> """
					You are invited to join an account of Mailroom.

					Open this link within a week and choose a password:

					%s/accept-invitation?token=%s

					If you do not expect this, do nothing.
					""".formatted(this.settings.appUrl(), sealed(token, notice.to()));
			case AccountNotice.AlreadyRegistered _ -> """
					A registration with this address was attempted, probably by you. It has an account already.

					Sign in with the password of that account: %1$s/login
					If you do not remember the password: %1$s/forgot-password

					The new registration cannot be verified or send mail. It ends when you choose a new password.

					If it was not you, do nothing: nothing about your account was disclosed.
					""".formatted(this.settings.appUrl());
			case AccountNotice.SecondFactorAdded _ -> """
					Signing in to your Mailroom account now requires a code of an authenticator app, or a recovery code.

					If you did not set this up, somebody else uses your account. Choose a new password, which signs
					everybody out, and ask the operator of this service to remove the second factor:

					%s/forgot-password
					""".formatted(this.settings.appUrl());
		};
	}

	/** The token as it is stored with the mail; it is opened when the mail is sent. */
	private String sealed(Secret token, String recipient) {
		return this.sealed.seal(token.text(), Account.PLATFORM, recipient);
	}

	/**
	 * Links in mails to account owners.
	 *
	 * @param appUrl the address of the web app, without a slash at the end
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("http://localhost:8081") String appUrl) {
	}

}
