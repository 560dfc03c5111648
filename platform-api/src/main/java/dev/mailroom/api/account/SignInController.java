package dev.mailroom.api.account;

import dev.mailroom.account.SignIn;
import dev.mailroom.account.SignedIn;
import dev.mailroom.api.http.Success;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Signs people in and out. */
@RestController
class SignInController {

	private final SignIn signIn;

	SignInController(SignIn signIn) {
		this.signIn = signIn;
	}

	@PostMapping("/auth/login")
	Mono<ResponseEntity<Success>> login(@RequestBody Login body) {
		return this.signIn.login(body.credentials()).map(SignInController::answer);
	}

	@PostMapping("/auth/refresh")
	Mono<ResponseEntity<Success>> refresh(@RequestBody Refresh body) {
		return this.signIn.refresh(body.token()).map(SignInController::answer);
	}

	@PostMapping("/auth/logout")
	Mono<Success> logout(@RequestBody Refresh body) {
		return this.signIn.logout(body.token()).thenReturn(MessageBody.of("You are signed out."));
	}

	/** Nobody on the way keeps a copy. */
	private static ResponseEntity<Success> answer(SignedIn signedIn) {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(Success.data(TokenResponse.of(signedIn)));
	}

}
