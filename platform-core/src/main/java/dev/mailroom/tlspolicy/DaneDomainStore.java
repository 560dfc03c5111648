package dev.mailroom.tlspolicy;

import java.time.Instant;
import java.util.Optional;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.tlspolicy.DaneDomains.Seen;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the domains with TLSA records. */
@Repository
@AcrossAccounts("they are domains of recipients")
class DaneDomainStore {

	Optional<Seen> find(JdbcClient jdbc, String domain, Instant now) {
		return SqlStatement.of("select * from dane_seen where domain = :domain and secure_until > :now")
			.bind("domain", domain)
			.bind("now", now)
			.list(jdbc, (row) -> new Seen(value(row, "secure_until", Instant.class), text(row, "result")))
			.stream()
			.findFirst();
	}

	void save(JdbcClient jdbc, String domain, String result, Instant until) {
		SqlStatement.of("""
				insert into dane_seen (domain, secure_until, result) values (:domain, :until, :result)
				on conflict (domain) do update set secure_until = excluded.secure_until, result = excluded.result
				""").bind("domain", domain).bind("until", until).bind("result", result).update(jdbc);
	}

	void removeExpired(JdbcClient jdbc, Instant now) {
		SqlStatement.of("""
				delete from dane_seen
				 where domain in (select domain from dane_seen where secure_until < :now limit 100)
				""").bind("now", now).update(jdbc);
	}

}
