package dev.mailroom.blob;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the objects that no committed row refers to. */
@Repository
class BlobStore {

	private static final String NAMES = """
			unnest(:accounts::uuid[], :owners::uuid[], :parts::text[]) as named(account_id, owner_id, part)
			""";

	private final DatabaseClient database;

	BlobStore(DatabaseClient database) {
		this.database = database;
	}

	/** Records objects before they are put. An hour is longer than any commit takes. */
	Mono<Void> insert(Scope scope, List<Blob.Name> names) {
		return statement("""
				insert into blob_loose (account_id, owner_id, part, due_at)
				select account_id, owner_id, part, now() + interval '1 hour' from %s where account_id = :account
				""", names).bind("account", scope.account()).on(this.database).then();
	}

	/**
	 * Removes the records of objects that rows refer to now, except of those whose
	 * removal has begun. Rows are locked in order, which prevents deadlocks of two
	 * groups.
	 * @return the number of records that existed
	 */
	@AcrossAccounts("mails of a group of requests; each row has its account, which row-level security checks")
	Mono<Long> hold(List<Blob.Name> names) {
		return holding(names).on(this.database).fetch().rowsUpdated();
	}

	/** Removes the records, as {@link #hold(List)}, in a transaction of JDBC. */
	@AcrossAccounts("mails of a group of requests; each row has its account, which row-level security checks")
	long hold(JdbcClient jdbc, List<Blob.Name> names) {
		return holding(names).update(jdbc);
	}

	@AcrossAccounts("mails of a group of requests; each row has its account, which row-level security checks")
	private static SqlStatement holding(List<Blob.Name> names) {
		return statement("""
				with held as (
				    select account_id, owner_id, part from blob_loose join %s using (account_id, owner_id, part)
				     where due_at > '-infinity' and failures = 0
				     order by account_id, owner_id, part for update of blob_loose)
				delete from blob_loose using held
				 where (blob_loose.account_id, blob_loose.owner_id, blob_loose.part)
				       = (held.account_id, held.owner_id, held.part)
				""", names);
	}

	/**
	 * Marks objects that are due, and those of a removal that did not end: no row can
	 * refer to them any more.
	 */
	@AcrossAccounts("the bucket is swept for all accounts")
	List<Blob.Name> claim(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				with due as (
				    select account_id, owner_id, part from blob_loose where due_at <= now()
				     order by due_at limit :limit for update skip locked)
				update blob_loose set due_at = '-infinity' from due
				 where (blob_loose.account_id, blob_loose.owner_id, blob_loose.part)
				       = (due.account_id, due.owner_id, due.part)
				returning blob_loose.account_id, blob_loose.owner_id, blob_loose.part
				""")
			.bind("limit", limit)
			.list(jdbc, (row) -> new Blob.Name(value(row, "account_id", UUID.class), value(row, "owner_id", UUID.class),
					text(row, "part")));
	}

	/** Postpones objects whose removal failed, for a minute and longer each time. */
	@AcrossAccounts("the bucket is swept for all accounts")
	long putOff(JdbcClient jdbc, List<Blob.Name> names) {
		return statement("""
				update blob_loose
				   set due_at = now() + least(power(2, failures) * interval '1 minute', interval '1 day'),
				       -- beyond this number the power would overflow
				       failures = least(failures + 1, 20)
				  from %s
				 where (blob_loose.account_id, blob_loose.owner_id, blob_loose.part)
				       = (named.account_id, named.owner_id, named.part)
				""", names).update(jdbc);
	}

	@AcrossAccounts("the bucket is swept for all accounts")
	long forget(JdbcClient jdbc, List<Blob.Name> names) {
		return statement("""
				delete from blob_loose using %s
				 where (blob_loose.account_id, blob_loose.owner_id, blob_loose.part)
				       = (named.account_id, named.owner_id, named.part)
				""", names).update(jdbc);
	}

	private static SqlStatement statement(String sql, List<Blob.Name> names) {
		Columns<Blob.Name> columns = Columns.of(names);
		return SqlStatement.of(sql.formatted(NAMES))
			.bind("accounts", columns.uuids(Blob.Name::accountId))
			.bind("owners", columns.uuids(Blob.Name::ownerId))
			.bind("parts", columns.texts(Blob.Name::part));
	}

}
