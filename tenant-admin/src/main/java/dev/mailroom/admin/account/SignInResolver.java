package dev.mailroom.admin.account;

import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.account.Challenges;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.RefreshCookie;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/**
 * Sign-in of the web app. The refresh token is in a cookie, the access token in the
 * result.
 */
@Controller
class SignInResolver {

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	private final SignIn signIn;

	SignInResolver(SignIn signIn) {
		this.signIn = signIn;
	}

	@MutationMapping
	Mono<Map<String, Object>> signIn(@Argument SignInInput input, GraphQLContext context) {
		return Payload
			.fields(Mono.defer(() -> this.signIn.login(input.credentials())).map((result) -> session(result, context)))
			.onErrorResume(Refused.class, SignInResolver::challenge);
	}

	@MutationMapping
	Mono<Map<String, Object>> signInWithCode(@Argument SignInCodeInput input, GraphQLContext context) {
		return Payload
			.fields(Mono.defer(() -> this.signIn.login(input.step())).map((result) -> session(result, context)));
	}

	@MutationMapping
	Mono<Map<String, Object>> refresh(GraphQLContext context) {
		RefreshCookie cookie = RefreshCookie.require(context);
		@Nullable String token = cookie.token();
		if (token == null) {
			return Mono.error(UNAUTHORIZED.because("There is no session: sign in."));
		}
		return Payload.fields(this.signIn.refresh(Secret.of(token))
			.map((result) -> session(result, context))
			.doOnError((_) -> cookie.clear()));
	}

	@MutationMapping
	Mono<Map<String, Object>> signOut(GraphQLContext context) {
		RefreshCookie cookie = RefreshCookie.require(context);
		@Nullable String token = cookie.token();
		cookie.clear();
		return Payload.of("done",
				((token != null) ? this.signIn.logout(Secret.of(token)) : Mono.<Void>empty()).thenReturn(true));
	}

	/** The result of a sign-in that needs a second factor; other errors stay. */
	private static Mono<Map<String, Object>> challenge(Refused refused) {
		@Nullable String challenge = refused.properties().get(Challenges.NAME);
		return (challenge != null) ? Payload.fields(Mono.just(Map.of("challenge", challenge))) : Mono.error(refused);
	}

	private static Map<String, Object> session(SignIn.Result result, GraphQLContext context) {
		RefreshCookie.require(context).set(result.refreshToken().text());
		return Map.of("accessToken", result.accessToken().text(), "expiresIn", result.lifetime().toSeconds(), "account",
				result.account(), "enrolling", result.enrolling());
	}

	/** A challenge with a code of the app or a recovery code. */
	record SignInCodeInput(String challenge, String code) {

		SignIn.SecondStep step() {
			return SignIn.SecondStep.of(Secret.of(this.challenge), Secret.of(this.code));
		}

		/** Without the secrets, for logs. */
		@Override
		public String toString() {
			return "SignInCodeInput";
		}

	}

	/** An address and a password. */
	record SignInInput(String email, String password) {

		SignIn.Credentials credentials() {
			return SignIn.Credentials.of(this.email, Secret.of(this.password));
		}

		/** Without the password, for logs. */
		@Override
		public String toString() {
			return "SignInInput";
		}

	}

}
