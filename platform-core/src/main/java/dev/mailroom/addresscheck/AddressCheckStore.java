package dev.mailroom.addresscheck;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.addresscheck.AddressCheck.Finding;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the checks of addresses. */
@Repository
@AcrossAccounts("addresses and block lists belong to no account")
class AddressCheckStore {

	private static final String CHECKS = """
			select * from address_check
			 order by kind = 'domain', subject, array_position(array['failed', 'warning', 'unknown', 'ok'], result), kind, list
			""";

	private static final String UPSERT = """
			insert into address_check (subject, kind, list, result, detail, since, checked_at)
			select found.*, now(), now()
			  from unnest(:subjects::text[], :kinds::text[], :lists::text[], :results::text[], :details::text[]) as found
			on conflict (subject, kind, list) do update
			   set result = excluded.result, detail = excluded.detail, requested = false, checked_at = excluded.checked_at,
			       since = case when address_check.result = excluded.result then address_check.since else excluded.since end
			""";

	private final DatabaseClient database;

	AddressCheckStore(DatabaseClient database) {
		this.database = database;
	}

	Flux<AddressCheck> all() {
		return this.database.sql(CHECKS).map(AddressCheckStore::check).all();
	}

	List<AddressCheck> all(JdbcClient jdbc) {
		return SqlStatement.of(CHECKS).list(jdbc, AddressCheckStore::check);
	}

	private static AddressCheck check(Readable row) {
		return new AddressCheck(text(row, "subject"), AddressCheck.Kind.of(text(row, "kind")), text(row, "list"),
				AddressCheck.Result.of(text(row, "result")), text(row, "detail"), value(row, "since", Instant.class),
				value(row, "checked_at", Instant.class));
	}

	Flux<BlockList> lists() {
		return this.database.sql("select * from block_list order by name").map(AddressCheckStore::list).all();
	}

	/**
	 * A test is repeated after almost a day, so that the run of each day begins with one.
	 */
	List<BlockList> tested(JdbcClient jdbc) {
		return SqlStatement
			.of("select * from block_list where state = 'on' and tested_at > now() - interval '1435 minutes' order by name")
			.list(jdbc, AddressCheckStore::list);
	}

	private static BlockList list(Readable row) {
		return new BlockList(text(row, "name"), text(row, "zone"),
				BlockList.Kind.valueOf(text(row, "kind").toUpperCase(Locale.ROOT)),
				BlockList.Severity.valueOf(text(row, "severity").toUpperCase(Locale.ROOT)), text(row, "removal_url"),
				BlockList.State.valueOf(text(row, "state").toUpperCase(Locale.ROOT)),
				value(row, "tested_at", Instant.class));
	}

	/** The request is seen by the worker within ten seconds. */
	Mono<Boolean> request(String subject) {
		return this.database
			.sql("update address_check set requested = true where subject = :subject and kind <> 'domain'")
			.bind("subject", subject)
			.fetch()
			.rowsUpdated()
			.map((count) -> count > 0);
	}

	boolean isDue(JdbcClient jdbc) {
		return SqlStatement.of("""
				select not exists (select from address_check where kind <> 'domain')
				    or exists (select from address_check
				                where kind <> 'domain' and (requested or checked_at < now() - interval '1 hour'))
				""").value(jdbc, Boolean.class);
	}

	void save(JdbcClient jdbc, BlockList list) {
		SqlStatement.of("""
				insert into block_list (name, zone, kind, severity, removal_url, state, tested_at)
				values (:name, :zone, :kind, :severity, :url, :state, now())
				on conflict (name) do update
				   set zone = excluded.zone, kind = excluded.kind, severity = excluded.severity,
				       removal_url = excluded.removal_url, state = excluded.state, tested_at = excluded.tested_at
				""")
			.bind("name", list.name())
			.bind("zone", list.zone())
			.bind("kind", list.kind().name().toLowerCase(Locale.ROOT))
			.bind("severity", list.severity().name().toLowerCase(Locale.ROOT))
			.bind("url", list.removalUrl())
			.bind("state", list.state().name().toLowerCase(Locale.ROOT))
			.update(jdbc);
	}

	void keep(JdbcClient jdbc, Collection<String> lists) {
		SqlStatement.of("""
				with forgotten as (delete from block_list where name <> all(:names))
				delete from address_check where kind = 'domain' and list <> all(:names)
				""").bind("names", lists.toArray(String[]::new)).update(jdbc);
	}

	/** Results that were not found again belong to addresses or lists that are gone. */
	void saveAddresses(JdbcClient jdbc, List<Finding> findings) {
		save(jdbc, findings);
		SqlStatement.of("delete from address_check where kind <> 'domain' and checked_at < now()").update(jdbc);
	}

	void saveDomains(JdbcClient jdbc, String list, List<Finding> findings) {
		save(jdbc, findings);
		SqlStatement.of("delete from address_check where kind = 'domain' and list = :list and checked_at < now()")
			.bind("list", list)
			.update(jdbc);
	}

	private static void save(JdbcClient jdbc, List<Finding> findings) {
		Columns<Finding> columns = Columns.of(findings);
		SqlStatement.of(UPSERT)
			.bind("subjects", columns.texts(Finding::subject))
			.bind("kinds", columns.texts((finding) -> finding.kind().contractName()))
			.bind("lists", columns.texts(Finding::list))
			.bind("results", columns.texts((finding) -> finding.result().contractName()))
			.bind("details", columns.texts(Finding::detail))
			.update(jdbc);
	}

	List<String> sendingDomains(JdbcClient jdbc) {
		return SqlStatement.of("select distinct name from domain where status = 'verified' order by name")
			.values(jdbc, String.class);
	}

}
