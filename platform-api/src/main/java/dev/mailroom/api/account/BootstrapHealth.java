package dev.mailroom.api.account;

import dev.mailroom.account.PlatformBootstrap;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/** Keeps the app from being ready until the platform's own accounts exist. */
@Component("bootstrap")
class BootstrapHealth implements ReactiveHealthIndicator {

	private final PlatformBootstrap bootstrap;

	BootstrapHealth(PlatformBootstrap bootstrap) {
		this.bootstrap = bootstrap;
	}

	@Override
	public Mono<Health> health() {
		return Mono.fromSupplier(() -> (this.bootstrap.isComplete() ? Health.up() : Health.outOfService()).build());
	}

}
