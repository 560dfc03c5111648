package dev.mailroom.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class TenancyTest {

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	@Test
	void everyTableWithAnAccountHasRowLevelSecurityAndBothPolicies() throws SQLException {
		assertThat(column("""
				select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
				 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
				   and (a.attname = 'account_id' or (c.relname = 'account' and a.attname = 'id'))
				   and not (c.relrowsecurity and c.relforcerowsecurity and 2 = (
				       select count(*) from pg_policy p where p.polrelid = c.oid
				          and p.polname in ('own_account', 'every_account')
				          and p.polqual is not null and p.polwithcheck is not null))
				""")).isEmpty();
		assertThat(column("select tablename from pg_policies where policyname = 'own_account'")).contains("account",
				"email", "delivery");
	}

	@Test
	void aStatementParsesTheListOfItsAccountsOnceAndNotForEachRow() {
		Scope scope = Scope.of(UUID.randomUUID());
		Mono<List<String>> plan = this.transactions.in(scope,
				this.database.sql("explain (verbose, costs off) select from contact_book")
					.mapValue(String.class)
					.all()
					.collectList());
		StepVerifier.create(plan)
			.assertNext((lines) -> assertThat(lines).map(String::strip)
				.contains("Output: (NULLIF(current_setting('app.account_ids'::text, true), ''::text))::uuid[]")
				.noneMatch((line) -> line.startsWith("Filter:") && line.contains(")::uuid[]")))
			.verifyComplete();
	}

	@Test
	void policiesPermitTheAppsTheAccountsOfTheirTransactionOnly() throws SQLException {
		assertThat(column("""
				select distinct split_part(expression, ' = ', 2)
				  from pg_policies cross join unnest(array[qual, with_check]) as expression
				 where policyname = 'own_account'
				""")).singleElement().asString().contains("app.account_ids");
		assertThat(column("""
				select polrelid::regclass::text || ' ' || polname from pg_policy
				 where case polname when 'own_account' then false
				       when 'every_account' then polroles <> array['mailroom_system'::regrole::oid]
				       else polroles && array[0::oid, 'mailroom'::regrole::oid, 'mailroom_system'::regrole::oid] end
				""")).as("open to the apps").isEmpty();
	}

	@Test
	void partitionsAreAccessedThroughTheirTablesOnly() throws SQLException {
		assertThat(column("""
				select relname || ' ' || rolname from pg_class cross join pg_roles
				 where relispartition and relkind = 'r' and rolname in ('mailroom', 'mailroom_system')
				   and has_table_privilege(pg_roles.oid, pg_class.oid, 'select, insert, update, delete, truncate')
				""")).isEmpty();
		assertThat(column("select relname from pg_class where relispartition and relkind = 'r'"))
			.contains("email_other", "event_other");
	}

	@Test
	void theRoleOfTheAppsOwnsNoTableAndCannotBypassRowLevelSecurity() throws SQLException {
		assertThat(column("""
				select rolname from pg_roles where rolname in ('mailroom', 'mailroom_system')
				   and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
				union all
				select relname from pg_class where relowner in ('mailroom'::regrole, 'mailroom_system'::regrole)
				""")).isEmpty();
	}

	@Test
	void peopleWhoReadCannotWriteAndSeeNeitherSecretsNorContent() throws SQLException {
		assertThat(
				column("""
						select relname || ' ' || attname from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0
						 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
						   and has_column_privilege('mailroom_read', pg_class.oid, attnum, 'select')
						   and (relispartition
						        or relname ~ 'content|attachment|second_factor|session|token|key$' and relname <> 'dkim_key'
						        or attname ~ 'hash|secret|sealed|private|body|answer|conversation|html|raw|password')
						"""))
			.isEmpty();
		assertThat(column("""
				select oid::regclass::text from pg_class
				 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
				   and (has_any_column_privilege('mailroom_read', oid, 'insert, update')
				        or has_table_privilege('mailroom_read', oid, 'delete, truncate'))
				union all
				select rolname from pg_roles where rolname = 'mailroom_read'
				   and (rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
				""")).isEmpty();
		assertThat(column("select tablename from pg_policies where policyname = 'readable'")).contains("queue",
				"event");
	}

	@Test
	void aQueryWithoutAFilterReturnsOnlyTheAccountOfItsTransaction() throws SQLException {
		UUID own = account();
		UUID other = account();
		Mono<List<UUID>> ids = this.database.sql("select id from account").mapValue(UUID.class).all().collectList();
		StepVerifier.create(this.transactions.in(Scope.of(own), ids)).expectNext(List.of(own)).verifyComplete();
		StepVerifier.create(this.transactions.acrossAccounts(ids))
			.assertNext((all) -> assertThat(all).contains(own, other))
			.verifyComplete();
		StepVerifier.create(ids).expectNext(List.of()).verifyComplete();
	}

	@Test
	void aRowOfAnotherAccountIsNeitherInsertedNorUpdated() throws SQLException {
		UUID own = account();
		UUID other = account();
		Mono<Long> inserted = this.database
			.sql("insert into suppression values (:id, :account, 'a@b.test', 'manual', now())")
			.bind("id", UUID.randomUUID())
			.bind("account", other)
			.fetch()
			.rowsUpdated();
		StepVerifier.create(this.transactions.in(Scope.of(own), inserted)).expectError().verify();
		Mono<Long> updated = this.database.sql("update account set name = 'x' where id = :id")
			.bind("id", other)
			.fetch()
			.rowsUpdated();
		StepVerifier.create(this.transactions.in(Scope.of(own), updated)).expectNext(0L).verifyComplete();
	}

	private static UUID account() {
		UUID id = UUID.randomUUID();
		TestDatabase.execute("mailroom", "insert into account (id, email, email_key, plan, created_at) values ('" + id
				+ "', '" + id + "@a.test', '" + id + "@a.test', 'free', now())");
		return id;
	}

	private static List<String> column(String sql) throws SQLException {
		List<String> values = new ArrayList<>();
		try (Connection connection = TestDatabase.connect("mailroom");
				ResultSet rows = connection.createStatement().executeQuery(sql)) {
			while (rows.next()) {
				values.add(rows.getString(1));
			}
		}
		return values;
	}

}
