package dev.mailroom.api.account;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.log.Usages;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the plan's limits and their usage. */
@RestController
class UsageController {

	private final Usages usages;

	UsageController(Usages usages) {
		this.usages = usages;
	}

	@GetMapping("/usage")
	Mono<Success> usage(Scope scope) {
		return this.usages.of(scope).map((usage) -> Success.of("usage", UsageView.of(usage)));
	}

}
