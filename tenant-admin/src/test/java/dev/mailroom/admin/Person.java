package dev.mailroom.admin;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.AccessTokens;
import dev.mailroom.account.Secret;
import dev.mailroom.account.Sessions;
import dev.mailroom.account.SignIn;
import dev.mailroom.account.SignInSession;

import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;

/**
 * A person with a verified account and a session.
 *
 * @param account id of the account
 * @param token access token
 */
public record Person(UUID account, String email, String token) {

	/** Password of all persons. */
	public static final String PASSWORD = Given.PASSWORD;

	/** A new person with a session, without HTTP and without comparing a password. */
	public static Person in(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		UUID account = Given.person(email);
		SignInSession session = await(context.getBean(Sessions.class).start(Scope.of(account)));
		String token = await(context.getBean(AccessTokens.class).issue(session, AccessTokens.Grant.ACCOUNT, email))
			.text();
		return new Person(account, email, token);
	}

	/** A new operator who has signed in, without HTTP. */
	public static Person operator(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		UUID account = Given.person(email);
		Given.run("update account set role = 'operator' where id = '%s'", account);
		SignIn.Credentials credentials = SignIn.Credentials.of(email, Secret.of(PASSWORD));
		return new Person(account, email, await(context.getBean(SignIn.class).login(credentials)).accessToken().text());
	}

	/** The scope of the account. */
	public Scope scope() {
		return Scope.of(this.account);
	}

}
