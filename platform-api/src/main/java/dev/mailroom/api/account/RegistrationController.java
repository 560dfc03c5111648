package dev.mailroom.api.account;

import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Registered;
import dev.mailroom.account.Registration;
import dev.mailroom.api.http.Success;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Signs people up. */
@RestController
class RegistrationController {

	private final Registration registration;

	private final NoticeDelivery notices;

	RegistrationController(Registration registration, NoticeDelivery notices) {
		this.registration = registration;
		this.notices = notices;
	}

	@PostMapping("/auth/register")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> register(@RequestBody Register body) {
		return this.registration.register(body.applicant())
			.flatMap((registered) -> this.notices.send(notice(registered))
				.thenReturn(Success.of("user", UserView.of(registered.account()))
					.saying("Open the link in the mail that we sent you.")));
	}

	@PostMapping("/auth/verify-email")
	Mono<Success> verify(@RequestBody VerifyEmail body) {
		return this.registration.verify(body.link()).map((account) -> Success.of("user", UserView.of(account)));
	}

	@PostMapping("/auth/verify-email/resend")
	Mono<Success> resend(@RequestBody ResendVerification body) {
		return this.notices.send(this.registration.resend(body.address()))
			.thenReturn(MessageBody.of("If this address waits to be verified, a mail is on its way."));
	}

	private static Mono<AccountNotice> notice(Registered registered) {
		return Mono.justOrEmpty(registered.letter());
	}

}
