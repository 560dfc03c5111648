package dev.mailroom.api.account;

import java.util.List;
import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.account.SecondFactorSetup;
import dev.mailroom.account.SecondFactors;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.api.http.Success;
import dev.mailroom.http.Notices;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the second factor of sign-in. */
@RestController
class SecondFactorController {

	private final SecondFactorSetup setup;

	private final SignIn signIn;

	private final Notices notices;

	SecondFactorController(SecondFactorSetup setup, SignIn signIn, Notices notices) {
		this.setup = setup;
		this.signIn = signIn;
		this.notices = notices;
	}

	@PostMapping("/auth/totp")
	Mono<Success> begin(Caller caller, @RequestBody(required = false) @Nullable PasswordOnly body) {
		return this.setup.begin(caller, (body != null) ? body.password() : null)
			.map((enrolment) -> Success.data(EnrolmentView.of(enrolment)));
	}

	@PostMapping("/auth/totp/confirm")
	Mono<Success> confirm(Scope scope, @RequestBody ConfirmCode body) {
		return this.setup.confirm(scope.person(), body.code())
			.delayUntil((confirmed) -> this.notices.send(Mono.justOrEmpty(confirmed.notice())))
			.map((confirmed) -> Success.data(new RecoveryCodes(confirmed.recoveryCodes()))
				.withMessage("Store the recovery codes: they are not displayed again."));
	}

	@DeleteMapping("/auth/totp")
	Mono<Success> remove(Scope scope, @RequestBody PasswordOnly body) {
		return this.setup.remove(scope.person(), body.password()).thenReturn(Success.data(Map.of("deleted", true)));
	}

	@PostMapping("/auth/login/totp")
	Mono<ResponseEntity<Success>> login(@RequestBody LoginCode body) {
		return Mono.fromCallable(() -> SignIn.SecondStep.of(body.challenge(), body.code()))
			.flatMap(this.signIn::login)
			.map(SignInController::response);
	}

	/** Body of POST /auth/totp/confirm. */
	record ConfirmCode(@Nullable Secret code) {
	}

	/** Body of POST and DELETE /auth/totp. */
	record PasswordOnly(@Nullable Secret password) {
	}

	/** Body of POST /auth/login/totp: a code of the app, or a recovery code. */
	record LoginCode(@Nullable Secret challenge, @Nullable Secret code) {
	}

	/** Recovery codes, which are shown once. */
	record RecoveryCodes(List<String> recoveryCodes) {

		/** Without the codes, for logs. */
		@Override
		public String toString() {
			return "RecoveryCodes";
		}

	}

	/** A secret to store in an authenticator app. */
	record EnrolmentView(String secret, String otpauthUrl) {

		static EnrolmentView of(SecondFactors.Enrolment enrolment) {
			return new EnrolmentView(enrolment.secret().text(), enrolment.url().text());
		}

		/** Without the secret, for logs. */
		@Override
		public String toString() {
			return "EnrolmentView";
		}

	}

}
