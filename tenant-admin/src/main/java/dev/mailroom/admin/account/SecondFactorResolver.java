package dev.mailroom.admin.account;

import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.account.SecondFactorSetup;
import dev.mailroom.account.SecondFactors;
import dev.mailroom.account.Secret;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.http.Notices;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The second factor of the caller. */
@Controller
class SecondFactorResolver {

	private final SecondFactorSetup setup;

	private final Notices notices;

	SecondFactorResolver(SecondFactorSetup setup, Notices notices) {
		this.setup = setup;
		this.notices = notices;
	}

	@SchemaMapping
	Mono<SecondFactors.Status> secondFactor(Viewer viewer) {
		return this.setup.status(viewer.scope().person());
	}

	@MutationMapping
	Mono<Map<String, Object>> beginSecondFactor(Caller caller, @Argument @Nullable BeginSecondFactorInput input) {
		@Nullable Secret password = (input != null) ? Secret.of(input.password()) : null;
		return Payload.fields(this.setup.begin(caller, password)
			.map((enrolment) -> Map.of("secret", enrolment.secret().text(), "url", enrolment.url().text())));
	}

	@MutationMapping
	Mono<Map<String, Object>> confirmSecondFactor(Scope scope, @Argument SecondFactorCodeInput input) {
		return Payload.of("recoveryCodes",
				this.setup.confirm(scope.person(), Secret.of(input.code()))
					.delayUntil((confirmed) -> this.notices.send(Mono.justOrEmpty(confirmed.notice())))
					.map(SecondFactorSetup.Confirmed::recoveryCodes));
	}

	@MutationMapping
	Mono<Map<String, Object>> removeSecondFactor(Scope scope, @Argument RemoveSecondFactorInput input) {
		return Payload.of("done", this.setup.remove(scope.person(), Secret.of(input.password())).thenReturn(true));
	}

	/** The password that permits the setting up. */
	record BeginSecondFactorInput(String password) {

		/** Without the password, for logs. */
		@Override
		public String toString() {
			return "BeginSecondFactorInput";
		}

	}

	/** A code of the app. */
	record SecondFactorCodeInput(String code) {

		/** Without the code, for logs. */
		@Override
		public String toString() {
			return "SecondFactorCodeInput";
		}

	}

	/** The password that permits the removal. */
	record RemoveSecondFactorInput(String password) {

		/** Without the password, for logs. */
		@Override
		public String toString() {
			return "RemoveSecondFactorInput";
		}

	}

}
