package dev.mailroom.api.account;

import dev.mailroom.account.FieldReader;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.api.http.Success;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints to sign in, refresh tokens and sign out. */
@RestController
class SignInController {

	private final SignIn signIn;

	SignInController(SignIn signIn) {
		this.signIn = signIn;
	}

	@PostMapping("/auth/login")
	Mono<ResponseEntity<Success>> login(@RequestBody Login body) {
		return this.signIn.login(body.credentials()).map(SignInController::response);
	}

	@PostMapping("/auth/refresh")
	Mono<ResponseEntity<Success>> refresh(@RequestBody Refresh body) {
		return this.signIn.refresh(body.token()).map(SignInController::response);
	}

	@PostMapping("/auth/logout")
	Mono<Success> logout(@RequestBody Refresh body) {
		return this.signIn.logout(body.token()).thenReturn(MessageBody.of("You are signed out."));
	}

	static ResponseEntity<Success> response(SignIn.Result result) {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(Success.data(TokenResponse.of(result)));
	}

	/** Body of POST /auth/login. */
	record Login(@Nullable String email, @Nullable Secret password) {

		SignIn.Credentials credentials() {
			return SignIn.Credentials.of(this.email, this.password);
		}

	}

	/** Body of POST /auth/refresh and POST /auth/logout. */
	record Refresh(@Nullable Secret refreshToken) {

		Secret token() {
			return FieldReader.requiredToken("refresh_token", this.refreshToken);
		}

	}

	/**
	 * Tokens of a client that signed in.
	 *
	 * @param expiresIn lifetime of the access token in seconds
	 */
	record TokenResponse(String accessToken, String tokenType, long expiresIn, String refreshToken, UserView user) {

		static TokenResponse of(SignIn.Result result) {
			return new TokenResponse(result.accessToken().text(), "Bearer", result.lifetime().toSeconds(),
					result.refreshToken().text(), UserView.of(result.account()));
		}

		/** Without the tokens, for logs. */
		@Override
		public String toString() {
			return "Tokens of " + this.user.id();
		}

	}

}
