package dev.mailroom.api.compat.resend;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.domain.DnsRecord;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Manages sending domains for clients of Resend. */
@ResendRoutes
@RequestMapping("/compat/resend/domains")
class ResendDomainController {

	private final Domains domains;

	private final Verification verification;

	private final Idempotent idempotent;

	ResendDomainController(Domains domains, Verification verification, Idempotent idempotent) {
		this.domains = domains;
		this.verification = verification;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody Settings body) {
		return Mono.defer(() -> {
			Domain.Change change = body.change();
			return this.idempotent.answer(scope, key, HttpStatus.CREATED, this.domains.prepare(scope, body.name()),
					(prepared) -> this.domains.create(scope, prepared)
						.flatMap((domain) -> body.changes() ? this.domains.update(scope, domain.id(), change)
								: Mono.just(domain))
						.map((domain) -> new Detail(Item.of(domain), records(domain))));
		});
	}

	@GetMapping
	Mono<ResendList> list(Scope scope, @RequestParam Map<String, String> query) {
		return ResendList.read(query, (id) -> this.domains.find(scope, id), (page) -> this.domains.list(scope, page),
				Item::of);
	}

	@GetMapping("/{id}")
	Mono<Detail> find(Scope scope, @PathVariable UUID id) {
		return this.domains.find(scope, id).map((domain) -> new Detail(Item.of(domain), records(domain)));
	}

	@PatchMapping("/{id}")
	Mono<Changed> update(Scope scope, @PathVariable UUID id, @RequestBody Settings body) {
		return Mono.defer(() -> this.domains.update(scope, id, body.change())).map((_) -> Changed.of(id));
	}

	@DeleteMapping("/{id}")
	Mono<Changed> delete(Scope scope, @PathVariable UUID id) {
		return this.domains.delete(scope, id).thenReturn(new Changed("domain", id, true));
	}

	@PostMapping("/{id}/verify")
	Mono<ResponseEntity<Object>> verify(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.verification.lookUp(scope, id),
				(found) -> this.verification.save(scope, found).map((_) -> Changed.of(id)));
	}

	private static List<DomainRecord> records(Domain domain) {
		return domain.records().stream().map(DomainRecord::of).toList();
	}

	/**
	 * The body of POST /domains and PATCH /domains/:id. The region means nothing here.
	 *
	 * @param tls enforced or opportunistic
	 */
	record Settings(@Nullable String name, @Nullable Boolean openTracking, @Nullable Boolean clickTracking,
			@Nullable String tls, @Nullable String customReturnPath, @Nullable String trackingSubdomain) {

		Domain.Change change() {
			requireAbsent("custom_return_path", this.customReturnPath);
			requireAbsent("tracking_subdomain", this.trackingSubdomain);
			return new Domain.Change(this.openTracking, this.clickTracking, null, switch (this.tls) {
				case null -> null;
				case "enforced" -> true;
				case "opportunistic" -> false;
				default -> throw ResendList.invalid("tls", "must be enforced or opportunistic");
			});
		}

		boolean changes() {
			return this.openTracking != null || this.clickTracking != null || this.tls != null;
		}

		private static void requireAbsent(String field, @Nullable String value) {
			if (value != null) {
				throw ResendList.invalid(field, "must be absent: the names of the records are fixed");
			}
		}

	}

	/** The response to a change of a domain. */
	record Changed(String object, UUID id, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean deleted) {

		static Changed of(UUID id) {
			return new Changed("domain", id, null);
		}

	}

	/** A domain in a list. */
	record Item(String object, UUID id, String name, String status, Instant createdAt, String region,
			Map<String, String> capabilities, boolean openTracking, boolean clickTracking, String tls) {

		static Item of(Domain domain) {
			return new Item("domain", domain.id(), domain.name(), status(domain.status()), domain.createdAt(),
					"us-east-1", Map.of("sending", "enabled", "receiving", "disabled"), domain.openTracking(),
					domain.clickTracking(), domain.requireTls() ? "enforced" : "opportunistic");
		}

		private static String status(Domain.Status status) {
			return (status == Domain.Status.TEMPORARY_FAILURE) ? "partially_failed" : status.contractName();
		}

	}

	/** A domain with its records. */
	record Detail(@JsonUnwrapped Item item, List<DomainRecord> records) {
	}

	/** A DNS record to publish. */
	record DomainRecord(@JsonProperty("record") String purpose, String name, String type, String ttl, String status,
			String value, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer priority) {

		static DomainRecord of(DnsRecord dns) {
			return new DomainRecord(purpose(dns.purpose()), dns.host(), dns.type(), "Auto", dns.status().contractName(),
					dns.value(), dns.priority());
		}

		private static String purpose(DnsRecord.Purpose purpose) {
			return switch (purpose) {
				case DKIM -> "DKIM";
				case SPF, RETURN_PATH -> "SPF";
				case OWNERSHIP -> "Ownership";
				case DMARC -> "DMARC";
			};
		}

	}

}
