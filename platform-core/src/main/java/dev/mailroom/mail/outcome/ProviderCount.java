package dev.mailroom.mail.outcome;

import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.site.Profiles;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to be counted for a sending domain and the provider whose server answered.
 *
 * @param provider name of a shipped profile, other, or relay
 */
record ProviderCount(UUID accountId, UUID domainId, String provider, Metric metric) {

	/** The count of a delivery; none if no server answered, or for other results. */
	static Stream<ProviderCount> of(SettledDelivery delivery, Map<UUID, Settlement.Attempt> attempts) {
		Settlement.@Nullable Attempt attempt = attempts.get(delivery.id());
		@Nullable Metric metric = (attempt != null) ? metric(delivery, attempt) : null;
		if (attempt == null || attempt.host().isEmpty() || metric == null) {
			return Stream.empty();
		}
		return Stream.of(new ProviderCount(delivery.accountId(), delivery.domainId(),
				provider(attempt.transport(), attempt.host()), metric));
	}

	private static @Nullable Metric metric(SettledDelivery delivery, Settlement.Attempt attempt) {
		return switch (delivery.result()) {
			case DELIVERED, SENT ->
				(attempt.tls().isEmpty() && attempt.transport().equals("mx")) ? Metric.UNENCRYPTED : Metric.DELIVERED;
			case DEFERRED, EXPIRED -> Metric.DEFERRED;
			case BOUNCED ->
				(delivery.bounce() != null && delivery.bounce().type() == Bounce.Type.BLOCK) ? Metric.BLOCKED : null;
			case UNOPENED, UNANSWERED, SUPPRESSED, FAILED, COMPLAINED -> null;
		};
	}

	/** The provider of a server. */
	static String provider(String transport, String host) {
		return transport.equals("mx") ? Profiles.provider(host) : transport;
	}

	/** Columns in which an attempt is counted. */
	enum Metric {

		/** Accepted. */
		DELIVERED,
		/** Accepted by the recipient's server without TLS. */
		UNENCRYPTED,
		/** Put off. */
		DEFERRED,
		/** Refused because of the sender. */
		BLOCKED,
		/** Reported as spam. */
		COMPLAINED

	}

}
