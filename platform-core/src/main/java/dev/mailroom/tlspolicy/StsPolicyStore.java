package dev.mailroom.tlspolicy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the policies. */
@Repository
@AcrossAccounts("policies belong to the domains of recipients")
class StsPolicyStore {

	Optional<StsPolicy> find(JdbcClient jdbc, String domain) {
		return SqlStatement.of("select * from mta_sts_policy where domain = :domain")
			.bind("domain", domain)
			.list(jdbc, StsPolicyStore::policy)
			.stream()
			.findFirst();
	}

	private static StsPolicy policy(Readable row) {
		return new StsPolicy(text(row, "txt_id"), StsPolicy.Mode.of(text(row, "mode")),
				List.of(value(row, "mx", String[].class)), Duration.ofSeconds(value(row, "max_age", Integer.class)),
				value(row, "fetched_at", Instant.class));
	}

	void save(JdbcClient jdbc, String domain, StsPolicy policy) {
		SqlStatement.of("""
				insert into mta_sts_policy (domain, txt_id, mode, mx, max_age, fetched_at)
				values (:domain, :id, :mode, :mx, :age, :fetched)
				on conflict (domain) do update
				   set txt_id = excluded.txt_id, mode = excluded.mode, mx = excluded.mx, max_age = excluded.max_age,
				       fetched_at = excluded.fetched_at
				 where mta_sts_policy.fetched_at <= excluded.fetched_at
				""")
			.bind("domain", domain)
			.bind("id", policy.id())
			.bind("mode", policy.mode().text())
			.bind("mx", policy.mx().toArray(String[]::new))
			.bind("age", Math.toIntExact(policy.maxAge().toSeconds()))
			.bind("fetched", policy.fetchedAt())
			.update(jdbc);
	}

	void saveResult(JdbcClient jdbc, String domain, String result) {
		SqlStatement.of("update mta_sts_policy set result = :result where domain = :domain")
			.bind("domain", domain)
			.bind("result", result)
			.update(jdbc);
	}

	void removeExpired(JdbcClient jdbc) {
		SqlStatement.of("""
				delete from mta_sts_policy
				 where domain in (select domain from mta_sts_policy
				                   where fetched_at + max_age * interval '1 second' < now() limit 100)
				""").update(jdbc);
	}

}
