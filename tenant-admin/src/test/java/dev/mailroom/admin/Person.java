package dev.mailroom.admin;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
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
public record Person(UUID account, String email, String token) {

	/** Password of all persons. */
	public static final String PASSWORD = "correct horse battery";

	/** Registers a new person and signs them in, without HTTP. */
	public static Person in(ApplicationContext context) {
		Person person = registered(context);
		return new Person(person.account(), person.email(), signIn(context, person.email()));
	}

	/** Registers a new operator and signs them in, without HTTP. */
	public static Person operator(ApplicationContext context) {
		Person person = registered(context);
		Given.run("update account set role = 'operator' where id = '%s'", person.account());
		return new Person(person.account(), person.email(), signIn(context, person.email()));
	}

	/** The scope of the account. */
	public Scope scope() {
		return Scope.of(this.account);
	}

	private static Person registered(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		Registration registration = context.getBean(Registration.class);
		Registration.Result result = await(registration.register(Applicant.of(email, Secret.of(PASSWORD), "Ann")));
		Secret link = ((AccountNotice.VerifyAddress) result.notice()).token();
		await(context.getBean(AddressVerification.class).verify(AddressVerification.Request.of(link, null, null)));
		return new Person(result.account().id(), email, "");
	}

	private static String signIn(ApplicationContext context, String email) {
		return await(context.getBean(SignIn.class).login(SignIn.Credentials.of(email, Secret.of(PASSWORD))))
			.accessToken()
			.text();
	}
}
