package dev.mailroom.trackingdomain;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of hosted policies, and of the certificate that they promise. */
@Repository
class HostedPolicyStore {

	private final DatabaseClient database;

	HostedPolicyStore(DatabaseClient database) {
		this.database = database;
	}

	/** The policy of a domain; empty if none is hosted. */
	Mono<Stored> find(Scope scope, UUID domain) {
		return this.database.sql("""
				select hosted_policy.mode, hosted_policy.since, tracking_domain.state, tracking_domain.error
				  from hosted_policy
				  left join tracking_domain on tracking_domain.domain_id = hosted_policy.domain_id and policy
				                           and removed_at is null
				 where hosted_policy.domain_id = :domain and hosted_policy.account_id = :account
				""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.map((row) -> new Stored(mode(text(row, "mode")), value(row, "since", Instant.class),
					row.get("state", String.class), row.get("error", String.class)))
			.one();
	}

	private static Mode mode(String text) {
		return Mode.valueOf(text.toUpperCase(Locale.ROOT));
	}

	/** Stores the mode of a domain; the same mode keeps its time. */
	Mono<Void> save(Scope scope, UUID domain, Mode mode, Instant now) {
		return this.database
			.sql("""
					insert into hosted_policy (domain_id, account_id, mode, since) values (:domain, :account, :mode, :now)
					on conflict (domain_id) do update
					   set mode = excluded.mode,
					       since = case when hosted_policy.mode = excluded.mode then hosted_policy.since else excluded.since end
					""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.bind("mode", mode.text())
			.bind("now", now)
			.then();
	}

	/**
	 * Adds the name of a policy, or has it checked again; empty if it is a tracking
	 * domain.
	 */
	Mono<UUID> addName(Scope scope, UUID id, UUID domain, String name, Instant now) {
		return this.database.sql("""
				insert into tracking_domain (id, account_id, domain_id, name, created_at, check_at, policy)
				values (:id, :account, :domain, :name, :now, now(), true)
				on conflict (name) where removed_at is null do update set check_at = now()
				   where tracking_domain.policy and tracking_domain.domain_id = excluded.domain_id
				returning id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("domain", domain)
			.bind("name", name)
			.bind("now", now)
			.mapValue(UUID.class)
			.one();
	}

	/** Ends the policy of a domain; its name says so for as long as links work. */
	Mono<Long> remove(Scope scope, UUID domain) {
		return this.database.sql("""
				with removed as (
				    delete from hosted_policy where domain_id = :domain and account_id = :account returning domain_id)
				update tracking_domain set removed_at = now(), check_at = null from removed
				 where tracking_domain.domain_id = removed.domain_id and policy and removed_at is null
				""").bind("domain", domain).bind("account", scope.account()).fetch().rowsUpdated();
	}

	/** Sessions under the policy that senders reported as failed. */
	Mono<Long> failures(Scope scope, UUID domain, Duration period) {
		return this.database.sql("""
				select coalesce(sum(sessions), 0)::bigint
				  from tls_report join tls_report_failure on tls_report_failure.report_id = tls_report.id
				 where tls_report.domain_id = :domain and tls_report.account_id = :account and verified
				   and policy_type = 'sts' and begin_at > now() - :period * interval '1 second'
				""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.bind("period", period.toSeconds())
			.mapValue(Long.class)
			.one();
	}

	@AcrossAccounts("the certificate is that of the installation")
	Mono<InboundCertificate> certificate(String host) {
		return this.database.sql("select * from inbound_certificate where host = :host")
			.bind("host", host)
			.map(HostedPolicyStore::row)
			.one();
	}

	private static InboundCertificate row(Readable row) {
		return new InboundCertificate(text(row, "host"), value(row, "valid", Boolean.class), text(row, "detail"),
				text(row, "tlsa"), row.get("published", Boolean.class), value(row, "checked_at", Instant.class));
	}

	@AcrossAccounts("the certificate is that of the installation")
	void save(JdbcClient jdbc, InboundCertificate certificate) {
		@Nullable Boolean published = certificate.published();
		SqlStatement.of("""
				insert into inbound_certificate (host, valid, detail, tlsa, published, checked_at)
				values (:host, :valid, :detail, :tlsa, nullif(:published, '')::boolean, :checked)
				on conflict (host) do update
				   set valid = excluded.valid, detail = excluded.detail, tlsa = excluded.tlsa,
				       published = excluded.published, checked_at = excluded.checked_at
				""")
			.bind("host", certificate.host())
			.bind("valid", certificate.valid())
			.bind("detail", certificate.detail())
			.bind("tlsa", certificate.tlsa())
			.bind("published", (published != null) ? published.toString() : "")
			.bind("checked", certificate.checkedAt())
			.update(jdbc);
	}

	/**
	 * A stored policy.
	 *
	 * @param state state of its name; null if there is none
	 * @param error what the last check of the name found; null if all was well
	 */
	record Stored(Mode mode, @Nullable Instant since, @Nullable String state, @Nullable String error) {

		/** No policy. */
		static final Stored NONE = new Stored(Mode.NONE, null, null, null);

	}

}
