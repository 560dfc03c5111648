package dev.mailroom.api.account;

import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.api.http.Success;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows people their own account. */
@RestController
class MeController {

	private final Accounts accounts;

	MeController(Accounts accounts) {
		this.accounts = accounts;
	}

	@GetMapping("/auth/me")
	Mono<Success> me(Scope scope) {
		return this.accounts.find(scope).map((account) -> Success.of("user", UserView.of(account)));
	}

	@PatchMapping("/auth/me")
	Mono<Success> amend(Scope scope, @RequestBody UpdateAccount body) {
		return this.accounts.amend(scope, body.amendment()).map((account) -> Success.of("user", UserView.of(account)));
	}

}
