package dev.mailroom.sdk;

import java.time.Duration;

/** Operations of domains. */
public final class Domains extends DomainsOperations {

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	Domains(Transport transport) {
		super(transport);
	}

	/**
	 * Verifies a domain again and again until it is verified.
	 * @throws WaitTimeoutException if that takes longer
	 */
	public Domain waitUntilVerified(String id, Duration limit) {
		return Waiting.until(() -> verify(id), (domain) -> domain.status().equals(RecordStatus.VERIFIED),
				(domain) -> "The domain " + domain.name() + " is still " + domain.status(), limit, INTERVAL);
	}

}
