package dev.mailroom.api.account;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountUpdate;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.Secret;
import dev.mailroom.api.http.Success;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the caller's own account. */
@RestController
class MeController {

	private final Accounts accounts;

	MeController(Accounts accounts) {
		this.accounts = accounts;
	}

	@GetMapping("/auth/me")
	Mono<Success> me(Scope scope) {
		return this.accounts.person(scope).map((account) -> Success.of("user", UserView.of(account)));
	}

	@PatchMapping("/auth/me")
	Mono<Success> update(Scope scope, @RequestBody UpdateAccount body) {
		return this.accounts.update(scope, body.update()).map((account) -> Success.of("user", UserView.of(account)));
	}

	/** Body of PATCH /auth/me; missing fields stay unchanged. */
	record UpdateAccount(@Nullable String name, @Nullable Secret currentPassword, @JsonAlias( {
			"new_password", "newPassword" }) @Nullable Secret password){

		AccountUpdate update() {
			return AccountUpdate.of(this.name, this.currentPassword, this.password);
		}

	}

}
