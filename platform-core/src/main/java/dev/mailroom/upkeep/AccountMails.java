package dev.mailroom.upkeep;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Secret;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Letter;
import dev.mailroom.secret.SealedText;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/** Sends the mails about sign-in and invitations. */
@Service
public class AccountMails {

	private static final DateTimeFormatter UNTIL = DateTimeFormatter
		.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private final PlatformMail mail;

	private final Brands brands;

	private final SealedText sealed;

	private final Settings settings;

	AccountMails(PlatformMail mail, Brands brands, SealedText sealed, Settings settings) {
		this.brands = brands;
		this.sealed = sealed;
		this.mail = mail;
		this.settings = settings;
	}

	/** Sends a notice to its account's owner. Completes when the mail is accepted. */
	public Mono<Void> send(AccountNotice notice) {
		return switch (notice) {
			case AccountNotice.VerifyAddress(var to, var token) -> this.mail.send(to,
					new Letter("Verify your email address", List
						.of("Welcome to Mailroom. Show that this address is yours. The link is valid for a day."),
							link("Verify address", "/verify-email", token, to),
							List.of("If you did not register, do nothing.")));
			case AccountNotice.ResetPassword(var to, var token) -> this.mail.send(to,
					new Letter("Choose a new password",
							List.of("A new password was requested for your Mailroom account, probably by you. "
									+ "The link is valid for an hour."),
							link("Choose a new password", "/reset-password", token, to), List.of(
									"It signs you out everywhere. If the address was never verified, you start with an "
											+ "empty account.",
									"If it was not you, do nothing: your password stays.")));
			case AccountNotice.JoinTeam invitation -> this.brands.find(Scope.of(invitation.account().id()))
				.map((brand) -> brand.name().isEmpty() ? invitation.owner() : brand.name())
				.flatMap((account) -> this.mail.send(invitation.to(), invitation(invitation, account)));
			case AccountNotice.AlreadyRegistered(var to) -> this.mail.send(to, new Letter("You already have an account",
					List.of("A registration with this address was attempted, probably by you. It has an account "
							+ "already. Sign in with the password of that account."),
					new Letter.Button("Sign in", this.settings.appUrl() + "/login"),
					List.of("If you do not remember the password: " + forgotten(),
							"The new registration cannot be verified or send mail. It ends when you choose a new "
									+ "password.",
							"If it was not you, do nothing: nothing about your account was disclosed.")));
			case AccountNotice.InOtherCell(var to, var url) ->
				this.mail.send(to, new Letter("You already have an account",
						List.of("A registration or a new password was requested for this address, probably by you. Its "
								+ "account is elsewhere: sign in there."),
						new Letter.Button("Sign in", url + "/login"),
						List.of("If you do not remember the password: " + url + "/forgot-password",
								"If it was not you, do nothing: nothing about your account was disclosed.")));
			case AccountNotice.SecondFactorAdded(var to) -> this.mail.send(to,
					Letter.of("A second factor was set up",
							"Signing in to your Mailroom account now requires a code of an authenticator app, or a "
									+ "recovery code.",
							"If you did not set this up, somebody else uses your account. Choose a new password, which "
									+ "signs everybody out, and ask the operator of this service to remove the second "
									+ "factor: " + forgotten()));
			case AccountNotice.DeletionAsked(var to, var name, var deleteAt) ->
				this.mail.send(to, new Letter("The account " + name + " will be deleted",
						List.of("The deletion of the account " + name + " was asked for. On " + UNTIL.format(deleteAt)
								+ " all its data are deleted: mails, contacts, domains, keys, and the people who sign "
								+ "in to it. Nothing can be restored afterwards.",
								"Until then it neither accepts nor sends mail, and an owner can cancel the deletion."),
						new Letter.Button("Open the settings", this.settings.appUrl() + "/settings"),
						List.of("If no owner wants this, cancel it and choose new passwords.")));
			case AccountNotice.DeletionCancelled(var to, var name) -> this.mail.send(to,
					Letter.of("The account " + name + " stays",
							"The deletion of the account " + name
									+ " was cancelled. It accepts and sends mail as before. "
									+ "Campaigns that ran are paused: resume them yourself."));
			case AccountNotice.DeletionBegun(var to, var name) ->
				this.mail.send(to,
						Letter.of("The account " + name + " is deleted", "The account " + name
								+ " is being deleted with all its data, as an owner or the operator of this "
								+ "service asked. Nobody can sign in to it any more, and its keys are refused."));
		};
	}

	private static String invitationTitle(AccountNotice.JoinTeam invitation, String account) {
		return invitation.inviter().equals(account) ? "You are invited to " + account
				: invitation.inviter() + " invited you to " + account;
	}

	private Letter invitation(AccountNotice.JoinTeam invitation, String account) {
		String title = invitationTitle(invitation, account);
		return new Letter(title,
				List.of("%s on Mailroom, with the role %s. The owner of this account is %s.".formatted(title,
						invitation.role().contractName(), invitation.account().email()),
						"The invitation expires on " + UNTIL.format(invitation.expiresAt()) + "."),
				link("Accept the invitation", "/accept-invitation", invitation.token(), invitation.to()),
				List.of("You choose a password of your own. If you do not expect this, do nothing."));
	}

	private String forgotten() {
		return this.settings.appUrl() + "/forgot-password";
	}

	private Letter.Button link(String label, String path, Secret token, String to) {
		return new Letter.Button(label, this.settings.appUrl() + path + "?token=" + sealed(token, to));
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
