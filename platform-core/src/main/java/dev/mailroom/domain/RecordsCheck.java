package dev.mailroom.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;

/**
 * Rules that derive a domain's status from the lookups of its records.
 *
 * @param records records with the results of their lookups
 * @param keys DKIM keys of the domain
 */
record RecordsCheck(List<DnsRecord> records, List<DkimKey> keys) {

	/**
	 * The domain's next status. A domain that was verified before fails only if a
	 * required record is missing for the grace period; a name server that does not answer
	 * is no reason.
	 */
	Status status(DomainStore.Row before, Instant now, Duration grace) {
		if (isVerified()) {
			return Status.VERIFIED;
		}
		if (before.verifiedAt() == null || before.status() == Status.PENDING) {
			return Status.PENDING;
		}
		boolean graceIsOver = isMissing() && before.failingSince() != null
				&& before.failingSince().plus(grace).isBefore(now);
		return (graceIsOver || before.status() == Status.FAILED) ? Status.FAILED : Status.TEMPORARY_FAILURE;
	}

	/**
	 * Whether DNS lacks a record that the domain needs to send. A lookup without an
	 * answer does not count.
	 */
	boolean isMissing() {
		boolean replaceable = !inactive().isEmpty() && inactive().stream().noneMatch((key) -> has(key, Status.FAILED));
		return hasOwnership(Status.FAILED) || (!replaceable && activeRsa().allMatch((key) -> has(key, Status.FAILED)));
	}

	/**
	 * Selectors of the new keys that replace the active ones now, which requires the
	 * records of both; empty otherwise.
	 */
	List<String> replacingSelectors() {
		return inactive().stream().allMatch((key) -> has(key, Status.VERIFIED))
				? inactive().stream().map(DkimKey::selector).toList() : List.of();
	}

	/**
	 * Required are the ownership record and that of an RSA key, since not every verifier
	 * supports Ed25519. The key must be active or become active now.
	 */
	private boolean isVerified() {
		return hasOwnership(Status.VERIFIED)
				&& (activeRsa().anyMatch((key) -> has(key, Status.VERIFIED)) || !replacingSelectors().isEmpty());
	}

	private boolean hasOwnership(Status status) {
		return this.records.stream()
			.anyMatch((record) -> record.purpose() == Purpose.OWNERSHIP && record.status() == status);
	}

	private boolean has(DkimKey key, Status status) {
		return this.records.stream()
			.anyMatch((record) -> record.host().equals(key.host()) && record.status() == status);
	}

	private Stream<DkimKey> activeRsa() {
		return this.keys.stream().filter((key) -> key.active() && key.algorithm().startsWith("rsa"));
	}

	private List<DkimKey> inactive() {
		return this.keys.stream().filter((key) -> !key.active()).toList();
	}
}
