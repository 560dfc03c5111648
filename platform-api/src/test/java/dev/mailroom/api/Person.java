package dev.mailroom.api;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.AccessTokens;
import dev.mailroom.account.Sessions;
import dev.mailroom.account.SignInSession;

import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;

/**
 * A person with a verified account and a session.
 *
 * @param account id of the account
 * @param token access token
 */
public record Person(UUID account, String email, String token, String refreshToken) {

	/** Password of all persons. */
	public static final String PASSWORD = Given.PASSWORD;

	/** A new person with a session, without HTTP and without comparing a password. */
	public static Person in(ApplicationContext context) {
		String email = UUID.randomUUID() + "@person.test";
		UUID account = Given.person(email);
		SignInSession session = await(context.getBean(Sessions.class).start(Scope.of(account)));
		String token = await(context.getBean(AccessTokens.class).issue(session, AccessTokens.Grant.ACCOUNT, email))
			.text();
		return new Person(account, email, token, session.refreshToken().text());
	}

}
