package dev.mailroom.api.account;

import dev.mailroom.account.PasswordReset;
import dev.mailroom.api.http.Success;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Helps those who forgot their password. */
@RestController
class PasswordController {

	private final PasswordReset reset;

	private final NoticeDelivery notices;

	PasswordController(PasswordReset reset, NoticeDelivery notices) {
		this.reset = reset;
		this.notices = notices;
	}

	@PostMapping("/auth/password/forgot")
	Mono<Success> forgot(@RequestBody ResendVerification body) {
		return this.notices.send(this.reset.forgot(body.address()))
			.thenReturn(MessageBody.of("If this address has an account, a mail is on its way."));
	}

	@PostMapping("/auth/password/reset")
	Mono<Success> reset(@RequestBody ResetPassword body) {
		return this.reset.reset(body.redemption())
			.thenReturn(MessageBody.of("The password is changed. Sign in with the new one."));
	}

}
