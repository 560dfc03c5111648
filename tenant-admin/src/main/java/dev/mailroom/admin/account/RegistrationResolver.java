package dev.mailroom.admin.account;

import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.account.AddressVerification;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.Caller;
import dev.mailroom.account.FieldReader;
import dev.mailroom.account.PasswordReset;
import dev.mailroom.account.Registration;
import dev.mailroom.account.Secret;
import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.http.Notices;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Registration, verification of addresses and forgotten passwords. */
@Controller
class RegistrationResolver {

	private final Registration registration;

	private final AddressVerification verification;

	private final PasswordReset reset;

	private final Notices notices;

	RegistrationResolver(Registration registration, AddressVerification verification, PasswordReset reset,
			Notices notices) {
		this.registration = registration;
		this.verification = verification;
		this.reset = reset;
		this.notices = notices;
	}

	@MutationMapping
	Mono<Map<String, Object>> signUp(@Argument SignUpInput input) {
		return Payload.of("account", Mono.defer(() -> this.registration.register(input.applicant()))
			.flatMap((result) -> this.notices.send(Mono.justOrEmpty(result.notice())).thenReturn(result.account())));
	}

	@MutationMapping
	Mono<Map<String, Object>> verifyEmail(@Argument VerifyEmailInput input, GraphQLContext context) {
		@Nullable Scope caller = Callers.find(context).map(Caller::scope).orElse(null);
		return Payload.of("account", Mono.defer(() -> this.verification.verifyInBrowser(input.request(), caller)));
	}

	@MutationMapping
	Mono<Map<String, Object>> resendVerification(@Argument AddressInput input) {
		return Payload.of("done",
				Mono.defer(
						() -> this.notices.send(this.registration.resend(FieldReader.requiredAddress(input.email()))))
					.thenReturn(true));
	}

	@MutationMapping
	Mono<Map<String, Object>> forgotPassword(@Argument AddressInput input) {
		return Payload.of("done",
				Mono.defer(() -> this.notices.send(this.reset.forgot(FieldReader.requiredAddress(input.email()))))
					.thenReturn(true));
	}

	@MutationMapping
	Mono<Map<String, Object>> resetPassword(@Argument ResetPasswordInput input) {
		return Payload.of("done", Mono.defer(() -> this.reset.reset(input.request())).thenReturn(true));
	}

	/** A request for an account. */
	record SignUpInput(String email, String password, @Nullable String name, @Nullable String timeZone) {

		Applicant applicant() {
			return Applicant.of(this.email, Secret.of(this.password), this.name).in(this.timeZone);
		}

		/** Without the password, for logs. */
		@Override
		public String toString() {
			return "SignUpInput";
		}

	}

	/** The token of a mailed link, with the account's password or a new one. */
	record VerifyEmailInput(String token, @Nullable String password, @Nullable String newPassword) {

		AddressVerification.Request request() {
			return AddressVerification.Request.of(Secret.of(this.token), secret(this.password),
					secret(this.newPassword));
		}

		private static @Nullable Secret secret(@Nullable String text) {
			return (text != null) ? Secret.of(text) : null;
		}

		/** Without the secrets, for logs. */
		@Override
		public String toString() {
			return "VerifyEmailInput";
		}

	}

	/** An address. */
	record AddressInput(String email) {
	}

	/** A new password with the token of a mailed link. */
	record ResetPasswordInput(String token, String password) {

		PasswordReset.Request request() {
			return PasswordReset.Request.of(Secret.of(this.token), Secret.of(this.password));
		}

		/** Without the secrets, for logs. */
		@Override
		public String toString() {
			return "ResetPasswordInput";
		}

	}

}
