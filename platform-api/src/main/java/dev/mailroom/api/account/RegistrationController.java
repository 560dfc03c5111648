package dev.mailroom.api.account;

import dev.mailroom.EmailAddress;
import dev.mailroom.account.AddressVerification;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.FieldReader;
import dev.mailroom.account.Registration;
import dev.mailroom.account.Secret;
import dev.mailroom.api.http.Success;
import dev.mailroom.http.Notices;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for registration. */
@RestController
class RegistrationController {

	private final Registration registration;

	private final AddressVerification verification;

	private final Notices notices;

	RegistrationController(Registration registration, AddressVerification verification, Notices notices) {
		this.registration = registration;
		this.verification = verification;
		this.notices = notices;
	}

	@PostMapping("/auth/register")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> register(@RequestBody Register body) {
		return this.registration.register(body.applicant())
			.flatMap((result) -> this.notices.send(Mono.justOrEmpty(result.notice()))
				.thenReturn(Success.of("user", UserView.of(result.account()))
					.withMessage("Open the link in the mail that we sent you.")));
	}

	@PostMapping("/auth/verify-email")
	Mono<Success> verify(@RequestBody VerifyEmail body) {
		return this.verification.verify(body.request()).map((account) -> Success.of("user", UserView.of(account)));
	}

	@PostMapping("/auth/verify-email/resend")
	Mono<Success> resend(@RequestBody ResendVerification body) {
		return this.notices.send(this.registration.resend(body.address()))
			.thenReturn(MessageBody.of("If this address is not verified yet, a mail is on its way."));
	}

	/** Body of POST /auth/register. */
	record Register(@Nullable String email, @Nullable Secret password, @Nullable String name) {

		Applicant applicant() {
			return Applicant.of(this.email, this.password, this.name);
		}

	}

	/**
	 * Body of POST /auth/verify-email, with the token of the link in the mail. A program
	 * that registered the address needs no password.
	 */
	record VerifyEmail(@Nullable Secret token, @Nullable Secret password, @Nullable Secret newPassword) {

		AddressVerification.Request request() {
			return AddressVerification.Request.of(this.token, this.password, this.newPassword);
		}

	}

	/** Body of POST /auth/verify-email/resend. */
	record ResendVerification(@Nullable String email) {

		EmailAddress address() {
			return FieldReader.requiredAddress(this.email);
		}

	}

}
