package dev.mailroom.api;

import java.util.UUID;

import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.AddressVerification;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.Registration;
import dev.mailroom.account.SignIn;
import dev.mailroom.token.Secret;

import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;

/**
 * A person with a verified account, signed in.
 *
 * @param account id of the account
 * @param token access token
 */
public record Person(UUID account, String email, String token, String refreshToken) {

	/** Password of all persons. */
	public static final String PASSWORD = "correct horse battery";

	/** Registers a new person and signs them in, without HTTP. */
	public static Person in(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		Registration registration = context.getBean(Registration.class);
		Registration.Result registered = await(registration.register(Applicant.of(email, Secret.of(PASSWORD), "Ann")));
		Secret link = ((AccountNotice.VerifyAddress) registered.notice()).token();
		await(context.getBean(AddressVerification.class).verify(AddressVerification.Request.of(link, null, null)));
		SignIn.Result signedIn = await(
				context.getBean(SignIn.class).login(SignIn.Credentials.of(email, Secret.of(PASSWORD))));
		return new Person(registered.account().id(), email, signedIn.accessToken().text(),
				signedIn.refreshToken().text());
	}
}
