package dev.mailroom.api;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.Credentials;
import dev.mailroom.account.Registered;
import dev.mailroom.account.Registration;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.account.SignedIn;

import org.springframework.context.ApplicationContext;

/**
 * Somebody with an account, verified and signed in.
 *
 * @param account the account's id
 * @param email their address
 * @param token their access token
 * @param refreshToken their refresh token
 */
public record Person(UUID account, String email, String token, String refreshToken) {

	/** What everybody signs in with. */
	public static final String PASSWORD = "correct horse battery";

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	/** Signs a new person up and in, without HTTP. */
	public static Person in(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		Registration registration = context.getBean(Registration.class);
		Registered registered = registration.register(Applicant.of(email, Secret.of(PASSWORD), "Ann")).block(DEADLINE);
		registration.verify(((AccountNotice.VerifyAddress) registered.letter()).token()).block(DEADLINE);
		SignedIn signedIn = context.getBean(SignIn.class)
			.login(Credentials.of(email, Secret.of(PASSWORD)))
			.block(DEADLINE);
		return new Person(registered.account().id(), email, signedIn.accessToken().text(),
				signedIn.refreshToken().text());
	}
}
