package dev.mailroom.observability;

import dev.mailroom.mail.accept.Acceptor;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Health of accepting mail: every loop that commits requests runs. */
@Component("accepting")
class AcceptHealth implements HealthIndicator {

	private final Acceptor acceptor;

	AcceptHealth(Acceptor acceptor) {
		this.acceptor = acceptor;
	}

	@Override
	public Health health() {
		return (this.acceptor.isAlive() ? Health.up() : Health.down()).build();
	}

}
