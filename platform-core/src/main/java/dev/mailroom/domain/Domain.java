package dev.mailroom.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.mailroom.Page;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A sending domain.
 *
 * @param records DNS records to publish, with the results of the last lookup
 * @param requireTls whether its mail is sent over TLS only
 * @param verifiedAt time of the first successful verification; null before
 * @param dkimKeys the keys, those that sign first
 */
public record Domain(UUID id, UUID accountId, String name, Status status, List<DnsRecord> records, boolean openTracking,
		boolean clickTracking, Transport transport, boolean requireTls, Instant createdAt, @Nullable Instant verifiedAt,
		Checks checks, List<Selector> dkimKeys) implements Page.Item {

	/** The event that reports the domain's status. */
	Event event() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("name", this.name);
		data.put("status", this.status.contractName());
		data.put("records", this.records.stream().map(DnsRecord::data).toList());
		data.put("open_tracking", this.openTracking);
		data.put("click_tracking", this.clickTracking);
		data.put("transport", this.transport.contractName());
		data.put("require_tls", this.requireTls);
		data.put("created_at", this.createdAt.truncatedTo(ChronoUnit.MILLIS));
		data.put("verified_at", (this.verifiedAt != null) ? this.verifiedAt.truncatedTo(ChronoUnit.MILLIS) : null);
		return new Event(this.accountId,
				(this.status == Status.FAILED) ? EventKind.DOMAIN_FAILED : EventKind.DOMAIN_VERIFIED, null, data);
	}

	/** Name and settings for the audit log. */
	Map<String, Object> details() {
		return Map.of("name", this.name, "open_tracking", this.openTracking, "click_tracking", this.clickTracking,
				"transport", this.transport.contractName(), "require_tls", this.requireTls);
	}

	/** Status of a domain or of one of its records. */
	public enum Status {

		/** Not verified yet. */
		PENDING,
		/** Verified. */
		VERIFIED,
		/** A required record is missing; a verified domain fails after a grace period. */
		FAILED,
		/** Verified before; the last lookup failed, or the grace period has begun. */
		TEMPORARY_FAILURE;

		/** The value in JSON and in the database. */
		@JsonValue
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		/** Parses a value of the database. */
		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		public static Status of(String contractName) {
			return valueOf(contractName.toUpperCase(Locale.ROOT));
		}

		/** Whether mail is accepted from a domain with this status. */
		public boolean maySend() {
			return this == VERIFIED || this == TEMPORARY_FAILURE;
		}

	}

	/** Transport of a domain's mail. */
	public enum Transport {

		/** The account's, or else the platform's. */
		DEFAULT,
		/** An SMTP relay. */
		RELAY,
		/** The MX hosts of the recipients' domains. */
		MX;

		/** The value in JSON and in the database. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		/** Parses a value of the database, where null is the default. */
		static Transport of(@Nullable String contractName) {
			return (contractName != null) ? valueOf(contractName.toUpperCase(Locale.ROOT)) : DEFAULT;
		}

	}

	/**
	 * Times of the lookups of a domain's records.
	 *
	 * @param checkedAt the last lookup; null before the first
	 * @param failingSince since when records are missing that it needs to send; null if
	 * none is
	 * @param failsAt when it fails unless they are found; null if none is missing
	 */
	public record Checks(@Nullable Instant checkedAt, @Nullable Instant failingSince, @Nullable Instant failsAt) {
	}

	/**
	 * A DKIM key without its values.
	 *
	 * @param selector the name of its record before {@code ._domainkey}
	 * @param algorithm rsa-sha256 or ed25519-sha256
	 * @param active whether it signs; a new key does once DNS has its record
	 */
	public record Selector(String selector, String algorithm, boolean active, Instant createdAt) {
	}

	/** Id and name of a domain. */
	public record Named(UUID id, String name) {
	}

	/**
	 * A domain that may send.
	 *
	 * @param linkHost its tracking domain; null for the shared name
	 */
	public record Sending(UUID id, String name, @Nullable String linkHost) {
	}

	/** Changes of a domain's settings; null fields stay unchanged. */
	public record Change(@Nullable Boolean openTracking, @Nullable Boolean clickTracking, @Nullable Transport transport,
			@Nullable Boolean requireTls) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused {@code Invalid request data}
		 */
		public static Change of(@Nullable Boolean openTracking, @Nullable Boolean clickTracking,
				@Nullable String transport, @Nullable Boolean requireTls) {
			return new Change(openTracking, clickTracking, (transport != null) ? parse(transport) : null, requireTls);
		}

		private static Transport parse(String text) {
			return Stream.of(Transport.values())
				.filter((transport) -> transport.contractName().equals(text))
				.findFirst()
				.orElseThrow(() -> DomainRefusals.invalid("transport",
						"must be one of " + Stream.of(Transport.values())
							.map(Transport::contractName)
							.collect(Collectors.joining(", "))));
		}

	}

}
