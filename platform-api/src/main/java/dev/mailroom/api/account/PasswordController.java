package dev.mailroom.api.account;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.EmailAddress;
import dev.mailroom.account.FieldReader;
import dev.mailroom.account.PasswordReset;
import dev.mailroom.account.Secret;
import dev.mailroom.api.http.Success;
import dev.mailroom.http.Notices;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for forgotten passwords. */
@RestController
class PasswordController {

	private final PasswordReset reset;

	private final Notices notices;

	PasswordController(PasswordReset reset, Notices notices) {
		this.reset = reset;
		this.notices = notices;
	}

	@PostMapping("/auth/password/forgot")
	Mono<Success> forgot(@RequestBody ForgotPassword body) {
		return this.notices.send(this.reset.forgot(body.address()))
			.thenReturn(MessageBody.of("If this address has an account, a mail is on its way."));
	}

	@PostMapping("/auth/password/reset")
	Mono<Success> reset(@RequestBody ResetPassword body) {
		return this.reset.reset(body.request())
			.thenReturn(MessageBody.of("The password is changed. Sign in with the new one."));
	}

	/** Body of POST /auth/password/forgot. */
	record ForgotPassword(@Nullable String email) {

		EmailAddress address() {
			return FieldReader.requiredAddress(this.email);
		}

	}

	/** Body of POST /auth/password/reset, with the token of the link in the mail. */
	record ResetPassword(@Nullable Secret token, @JsonAlias( {
			"new_password", "newPassword" }) @Nullable Secret password){

		PasswordReset.Request request() {
			return PasswordReset.Request.of(this.token, this.password);
		}

	}

}
