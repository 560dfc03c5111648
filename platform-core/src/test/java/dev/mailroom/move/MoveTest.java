package dev.mailroom.move;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WrongSetting;
import dev.mailroom.directory.TestDirectory;
import dev.mailroom.mail.accept.TestBucket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MoveTest {

	private static final String OTHER = TestDirectory.OTHER;

	/** Tables that triggers of the new cell write, a cache, and the state of moves. */
	private static final List<String> NOT_COPIED = List.of("email_count", "email_trouble", "webhook_delivery_count",
			"email_anchor", "account_move", "account_change");

	private static final Map<String, String> ENVIRONMENT = Map.of("MAILROOM_CELL", "eu1", "MAILROOM_DB_URL",
			TestDatabase.URL, "MAILROOM_DB_PASSWORD", TestDatabase.PASSWORD, "MAILROOM_MOVE_CELL", "us1",
			"MAILROOM_MOVE_DB_URL", TestDirectory.OTHER_URL, "MAILROOM_MOVE_DB_PASSWORD", TestDatabase.PASSWORD);

	@BeforeAll
	static void createTheOtherCell() {
		TestDirectory.start();
	}

	@Test
	void everyTableOfAnAccountIsCopiedOrWrittenByTriggers() {
		assertThat(Given.rows("""
				select relname from pg_class join pg_policy on polrelid = pg_class.oid and polname = 'own_account'
				 where not relispartition order by 1"""))
			.containsExactlyInAnyOrderElementsOf(concat(Given.rows("select name from copied_tables()"), NOT_COPIED));
		assertThat(Given.rows("select name from copied_tables() where cardinality(key) = 0")).isEmpty();
		assertThat(Given.rows("select name from copied_tables() where ahead and not unique_key"))
			.containsExactly("webhook_attempt");
	}

	@Test
	void numbersOfTransactionsAreReplaced() {
		assertThat(Given
			.rows("""
					select name || '.' || attname from copied_tables() join pg_attribute on attrelid = name::regclass
					 where atttypid in ('xid8'::regtype, 'xid'::regtype, 'pg_snapshot'::regtype, 'pg_lsn'::regtype) and attnum > 0
					   and copied_row(null, name, attname, '{}') = quote_ident(attname)"""))
			.containsExactly("webhook_state.subscribed_at");
	}

	@Test
	void anAccountMovesWithAllThatItHasWhileItChanges() throws SQLException {
		Sender sender = sender();
		try (Move move = move(sender.account())) {
			assertThat(move.advance()).isTrue();
			assertThat(move.advance()).isTrue();
		}
		UUID second = Given.mail(sender.scope(), "b@c.test", "d@c.test");
		Given.run(
				"insert into event (id, account_id, kind, email_id, created_at) values (first_id(now() - interval '1 s'), "
						+ "'%s', 'email.sent', '%s', now())",
				sender.account(), sender.mail());
		Given.run("update contact set first_name = 'Changed' where id = '%s'", sender.contact());
		UUID late = contact(sender);
		Given.run("delete from email where id = '%s'", sender.removed());
		Given.run("delete from suppression where account_id = '%s'", sender.account());
		try (Move move = move(sender.account())) {
			assertThat(move.advance()).isTrue();
			assertThat(paused(sender.account())).isEqualTo("being moved to the cell us1");
			move.run();
		}
		assertThat(other("select id from email where account_id = '%s' order by id", sender.account()))
			.containsExactly(sender.mail().toString(), second.toString());
		assertThat(other("select recipient || ' ' || epoch from queue where account_id = '%s' order by 1",
				sender.account()))
			.containsExactly("b@c.test 1", "b@c.test 1", "d@c.test 1");
		assertThat(other("select first_name from contact where id = '%s'", sender.contact()))
			.containsExactly("Changed");
		assertThat(other("select pg_visible_in_snapshot(added_by, start_snapshot)::text from contact, campaign "
				+ "where contact.account_id = '%1$s' and campaign.account_id = '%1$s' order by contact.id = '%2$s'",
				sender.account(), late))
			.containsExactly("true", "false");
		assertThat(other("select count(*) from suppression where account_id = '%s'", sender.account()))
			.containsExactly("0");
		assertThat(other("select sum(count) from email_count where account_id = '%s'", sender.account()))
			.containsExactly("2");
		assertThat(other("select kind from event where account_id = '%s' and transaction_id > '0' and transaction_id < "
				+ "pg_snapshot_xmin(pg_current_snapshot()) order by transaction_id, id", sender.account()))
			.containsExactly("email.queued", "email.sent");
		assertThat(other("select coalesce(paused_reason, 'works') || ' ' || email from account where id = '%s'",
				sender.account()))
			.containsExactly("works " + sender.account() + "@owner.test");
		assertThat(other("select act from audit where account_id = '%s' order by id", sender.account()))
			.containsExactly("account.move_begun", "account.arrived");
		assertThatTheOldCellActsNoMore(sender);
		Given.run("update contact set subscribed = false where id = '%s'", sender.contact());
		Given.run("insert into suppression values (uuidv7(), '%s', 'late@c.test', 'hard_bounce', now())",
				sender.account());
		try (Move move = move(sender.account())) {
			move.run();
		}
		assertThat(other("select subscribed::text from contact where id = '%s'", sender.contact()))
			.containsExactly("false");
		assertThat(other("select address || ' ' || reason from suppression where account_id = '%s'", sender.account()))
			.containsExactly("late@c.test hard_bounce");
		try (Move finish = move(sender.account())) {
			finish.finish();
		}
		assertThat(Given.rows("select id::text from contact where account_id = '%1$s' union all "
				+ "select id::text from email where account_id = '%1$s'", sender.account()))
			.isEmpty();
	}

	private static void assertThatTheOldCellActsNoMore(Sender sender) {
		assertThat(paused(sender.account())).isEqualTo("moved to the cell us1");
		assertThat(Given.rows("select id from queue where account_id = '%s'", sender.account())).isEmpty();
		assertThat(Given.rows("select moved from receives_here('%s.test')", sender.scope().domain()))
			.containsExactly("t");
		assertThat(Given.rows("select id from campaign where account_id = '%s'", sender.account())).isEmpty();
		assertThat(Given.rows("select moved_to from api_key where account_id = '%s'", sender.account()))
			.containsExactly("us1");
		assertThat(Given.rows("select tgname from pg_trigger where tgname like 'moving_%%%s'",
				sender.account().toString().replace("-", "")))
			.isEmpty();
	}

	@Test
	void requestsOfTheTimeBeforeCannotWriteInTheOldCell() throws SQLException {
		Sender sender = sender();
		try (Move move = move(sender.account())) {
			for (int step = 1; step <= 4; step++) {
				move.advance();
			}
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> Given.mail(sender.scope(), "b@c.test"))
				.withStackTraceContaining("has been moved to another cell");
			move.run();
		}
	}

	@Test
	void aProgramThatEndsAfterTheCommitInTheNewCellIsContinued() throws SQLException {
		Sender sender = sender();
		try (Move move = move(sender.account())) {
			for (int step = 1; step <= 3; step++) {
				move.advance();
			}
			move.hand();
		}
		assertThat(paused(sender.account())).isEqualTo("being moved to the cell us1");
		try (Move move = move(sender.account())) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(move::undo)
				.withMessageContaining("is in the new cell");
			move.run();
		}
		assertThatTheOldCellActsNoMore(sender);
		assertThat(other("select count(*) from queue where account_id = '%s'", sender.account())).containsExactly("1");
	}

	@Test
	void aMoveThatIsUndoneLeavesNothingInTheNewCell() throws SQLException {
		Sender sender = sender();
		Given.run("update account set paused_reason = 'Too many bounces', paused_at = now() where id = '%s'",
				sender.account());
		try (Move move = move(sender.account())) {
			for (int step = 1; step <= 3; step++) {
				move.advance();
			}
			move.undo();
		}
		assertThat(paused(sender.account())).isEqualTo("Too many bounces");
		for (String table : Given
			.rows("select name from copied_tables() where name not in ('account', 'blob_loose')")) {
			assertThat(other("select count(*) from \"%s\" where account_id = '%s'", table, sender.account())).as(table)
				.containsExactly("0");
		}
		assertThat(other("select id from account where id = '%s'", sender.account())).isEmpty();
		Given.mail(sender.scope(), "b@c.test");
		try (Move move = move(sender.account())) {
			move.run();
		}
		assertThat(other("select paused_reason from account where id = '%s'", sender.account()))
			.containsExactly("Too many bounces");
	}

	@Test
	void anAccountMovesBack() throws SQLException {
		Sender sender = sender();
		try (Move move = move(sender.account())) {
			move.run();
		}
		TestDatabase.execute(OTHER, "delete from contact where id = '" + sender.contact() + "'");
		Map<String, String> back = new HashMap<>(ENVIRONMENT);
		back.replaceAll((name, _) -> ENVIRONMENT.getOrDefault(
				name.contains("MOVE_") ? name.replace("MOVE_", "") : name.replace("MAILROOM_", "MAILROOM_MOVE_"), ""));
		try (Move move = Move.of(sender.account(), back, Duration.ZERO)) {
			move.run();
		}
		assertThat(paused(sender.account())).isEqualTo("null");
		assertThat(Given.rows("select id from contact where account_id = '%s'", sender.account())).isEmpty();
		assertThat(
				Given.rows("select coalesce(moved_to, 'here') from api_key where account_id = '%s'", sender.account()))
			.containsExactly("here");
		assertThat(other("select paused_reason from account where id = '%s'", sender.account()))
			.containsExactly("moved to the cell eu1");
	}

	@Test
	void theDirectoryNamesTheNewCellAndDelaysNoAccountThatHasArrived() throws SQLException {
		Map<String, String> environment = new HashMap<>(ENVIRONMENT);
		environment.putAll(TestDirectory.environment());
		Sender sender = sender();
		try (Move move = Move.of(sender.account(), environment, Duration.ZERO)) {
			assertThatExceptionOfType(Refused.class).isThrownBy(move::advance).withMessageContaining("directory");
		}
		TestDirectory.join();
		TestDatabase.execute(OTHER,
				"insert into directory_account (id, cell) values ('" + sender.account() + "', 'eu1')");
		try (Move move = Move.of(sender.account(), environment, Duration.ZERO)) {
			for (int step = 1; step <= 3; step++) {
				move.advance();
			}
			TestDirectory.PROXY.setDown(true);
			move.run();
			assertThatTheOldCellActsNoMore(sender);
			assertThat(other("select cell from directory_account where id = '%s'", sender.account()))
				.containsExactly("eu1");
			TestDirectory.PROXY.setDown(false);
			move.run();
		}
		finally {
			TestDirectory.PROXY.setDown(false);
		}
		assertThat(other("select cell from directory_account where id = '%s'", sender.account()))
			.containsExactly("us1");
		TestDirectory.leave();
	}

	@Test
	void contentInTheBucketMovesAndIsRemovedIfTheMoveIsUndone() throws Exception {
		Sender sender = sender();
		TestBucket first = new TestBucket();
		TestBucket second = new TestBucket();
		Map<String, String> environment = new HashMap<>(ENVIRONMENT);
		environment.putAll(Map.of("MAILROOM_BLOB_STORE", "s3", "MAILROOM_S3_ENDPOINT", first.address(),
				"MAILROOM_S3_ACCESS_KEY", "a", "MAILROOM_S3_SECRET_KEY", "b", "MAILROOM_MOVE_BLOB_STORE", "s3",
				"MAILROOM_MOVE_S3_ENDPOINT", second.address(), "MAILROOM_MOVE_S3_ACCESS_KEY", "c",
				"MAILROOM_MOVE_S3_SECRET_KEY", "d"));
		put(first, sender, sender.mail());
		try (Move move = Move.of(sender.account(), environment, Duration.ZERO)) {
			move.advance();
			move.advance();
			assertThat(second.keys(sender.account())).hasSize(1);
			put(first, sender, Given.mail(sender.scope(), "b@c.test"));
			move.advance();
			assertThat(second.keys(sender.account())).isEqualTo(first.keys(sender.account())).hasSize(2);
			move.undo();
		}
		assertThat(other("select count(*) from blob_loose where account_id = '%s'", sender.account()))
			.containsExactly("2");
		try (Move move = Move.of(sender.account(), environment, Duration.ZERO)) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(move::run)
				.withMessageContaining("objects of an earlier copy");
		}
		environment.put("MAILROOM_MOVE_S3_ENDPOINT", first.address());
		assertThatExceptionOfType(WrongSetting.class)
			.isThrownBy(() -> Move.of(sender.account(), environment, Duration.ZERO).close())
			.withMessageContaining("another bucket");
	}

	/** Stores the HTML body of a mail in a bucket. */
	private static void put(TestBucket bucket, Sender sender, UUID mail) throws Exception {
		URI object = URI.create(bucket.address() + "/mailroom/" + sender.account() + "/" + mail + "/html");
		try (HttpClient client = HttpClient.newHttpClient()) {
			client.send(HttpRequest.newBuilder(object)
				.header("Authorization", "test")
				.PUT(HttpRequest.BodyPublishers.ofString("<p>Large</p>"))
				.build(), HttpResponse.BodyHandlers.discarding());
		}
		Given.run("update email_content set outside = '{html}' where email_id = '%s'", mail);
	}

	@Test
	void whatTheNewCellCannotTakeIsRefusedBeforeTheMove() throws SQLException {
		Sender sender = sender();
		Given.run("insert into second_factor (account_id, sealed_secret) values ('%s', 'sealed')", sender.account());
		try (Move move = move(sender.account())) {
			assertThatExceptionOfType(WrongSetting.class).isThrownBy(move::run)
				.withMessageContaining("MAILROOM_MOVE_MASTER_KEY");
		}
		TestDatabase.execute(OTHER, """
				insert into account (id, email, email_key, plan, created_at)
				values (gen_random_uuid(), '', '%s@owner.test', 'free', now())""".formatted(sender.account()));
		try (Move move = move(sender.account())) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(move::run)
				.withMessageContaining("the new cell has address " + sender.account());
		}
		assertThat(Given.rows("select phase from account_move where account_id = '%s'", sender.account())).isEmpty();
	}

	private static Move move(UUID account) throws SQLException {
		return Move.of(account, ENVIRONMENT, Duration.ZERO);
	}

	/** An account with a running campaign, contacts, mails and a key. */
	private static Sender sender() {
		Scope scope = Given.sender("free");
		UUID account = scope.account();
		UUID book = UUID.randomUUID();
		Given.run(
				"insert into contact_book (id, account_id, name, created_at, updated_at) values ('%s', '%s', 'b', now(), "
						+ "now())",
				book, account);
		UUID mail = Given.mail(scope, "b@c.test");
		Given.run(
				"insert into event (id, account_id, kind, email_id, created_at) values (uuidv7(), '%s', 'email.queued', "
						+ "'%s', now())",
				account, mail);
		Given.run("insert into suppression values (uuidv7(), '%s', 'x@c.test', 'manual', now())", account);
		Given.run(
				"insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at) "
						+ "values (uuidv7(), '%1$s', '%2$s', 'k', 'ek_' || '%1$s', 'x', '{send}', now())",
				account, scope.domain());
		Given.inbound(account, scope.domain());
		Sender sender = new Sender(scope, book, mail, Given.unqueued(scope, "y@c.test"), UUID.randomUUID());
		contact(sender, sender.contact());
		Given.run("insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, "
				+ "contact_book_id, contact_book_name, text_content, started_at, start_snapshot, created_at, updated_at) "
				+ "values (uuidv7(), '%s', 'c', 'running', 'a', 'a', '%s', 's', '%s', 'b', 't', now(), pg_current_snapshot(), "
				+ "now(), now())", account, scope.domain(), book);
		return sender;
	}

	private static UUID contact(Sender sender) {
		UUID id = UUID.randomUUID();
		contact(sender, id);
		return id;
	}

	private static void contact(Sender sender, UUID id) {
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values ('%1$s', '%2$s', '%3$s', '%1$s@c.test', '%1$s@c.test', now(), now())",
				id, sender.account(), sender.book());
	}

	private static String paused(UUID account) {
		return Given.rows("select paused_reason from account where id = '%s'", account).getFirst();
	}

	@FormatMethod
	private static List<String> other(String sql, Object... arguments) {
		List<String> rows = new ArrayList<>();
		try (Connection connection = TestDatabase.connect(OTHER);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(String.format(sql, arguments))) {
			while (result.next()) {
				rows.add(String.valueOf(result.getString(1)));
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
		return rows;
	}

	private static List<String> concat(List<String> first, List<String> second) {
		List<String> all = new ArrayList<>(first);
		all.addAll(second);
		return all;
	}

	/**
	 * An account with what it has.
	 *
	 * @param removed a mail that is removed during the move
	 */
	private record Sender(Scope scope, UUID book, UUID mail, UUID removed, UUID contact) {

		UUID account() {
			return this.scope.account();
		}

	}

}
