package dev.mailroom.webhook;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class FeedTest {

	@Autowired
	Feed feed;

	@Autowired
	Events events;

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void eachEventIsReadOnceInOrderByItsOwnerOnly() {
		record(EventKind.DOMAIN_VERIFIED);
		record(EventKind.CONTACT_CREATED);
		record(EventKind.CONTACT_DELETED);
		assertThat(read(3, 2)).containsExactly("domain.verified", "contact.created", "contact.deleted");
		assertThat(await(this.feed.read(Scope.of(Given.account("free")), null, 10)).events()).isEmpty();
	}

	@Test
	void anEventOfAnEmailShowsTheEmailBeforeItsOwnFields() {
		Scope sender = Given.sender("free");
		UUID mail = Given.mail(sender, "b@c.test");
		Given.run(
				"insert into event (id, account_id, kind, email_id, data, created_at) values (uuidv7(), "
						+ "'%s', 'email.bounced', '%s', '{\"bounce\": {\"type\": \"soft\"}}', now())",
				sender.account(), mail);
		List<Feed.Entry> read = new ArrayList<>();
		// Transactions of other tests may be older.
		Await.until("the event", () -> read.addAll(await(this.feed.read(sender, null, 1)).events()));
		assertThat(read.getFirst().data()).isEqualTo(Map.of("email_id", mail.toString(), "from",
				"Ann <a@" + sender.domain() + ".test>", "to", List.of("b@c.test"), "subject", "Hello", "tags", Map.of(),
				"domain_id", sender.domain().toString(), "bounce", Map.of("type", "soft")));
	}

	@Test
	void anEventThatCommitsLateIsNotSkipped() throws SQLException {
		try (Connection slow = TestDatabase.connect("mailroom"); Connection quick = TestDatabase.connect("mailroom")) {
			slow.setAutoCommit(false);
			insert(slow, "written first, committed last");
			insert(quick, "written last, committed first");
			Feed.Batch before = await(this.feed.read(this.scope, null, 10));
			assertThat(before.events()).isEmpty();
			assertThat(before.next()).isNull();
			slow.commit();
		}
		assertThat(read(2, 1)).containsExactly("written first, committed last", "written last, committed first");
	}

	@Test
	void aReaderBesideManyWritersSeesEveryEventOnce() throws ExecutionException, InterruptedException {
		int writers = 8;
		int each = 40;
		List<String> read;
		try (ExecutorService pool = Executors.newFixedThreadPool(writers)) {
			List<Future<?>> writing = new ArrayList<>();
			for (int i = 0; i < writers; i++) {
				int writer = i;
				writing.add(pool.submit(() -> record(writer, each)));
			}
			read = read(writers * each, 7);
			for (Future<?> writer : writing) {
				writer.get();
			}
		}
		assertThat(read).hasSize(writers * each).doesNotHaveDuplicates();
	}

	@Test
	void anEventOlderThanThirtyDaysIsNotShown() {
		record(EventKind.CONTACT_CREATED);
		record(EventKind.CONTACT_DELETED);
		Given.run("update event set created_at = now() - interval '31 days' where account_id = '%s' and kind = '%s'",
				this.scope.account(), EventKind.CONTACT_CREATED.contractName());
		assertThat(read(1, 10)).containsExactly("contact.deleted");
	}

	@Test
	void aPageFarFromTheBeginningReadsFewRows() {
		Given
			.run("insert into event (id, account_id, kind, created_at) select uuidv7(), '%s', 'contact.created', now() "
					+ "from generate_series(1, 5000)", this.scope.account());
		Given.run("analyze event");
		String[] last = Given.rows(
				"select transaction_id || ' ' || id from event where account_id = '%s' order by id offset 2499 limit 1",
				this.scope.account())
			.getFirst()
			.split(" ", -1);
		Feed.Cursor middle = new Feed.Cursor(Long.parseLong(last[0]), UUID.fromString(last[1]));
		Await.until("the events are shown", () -> await(this.feed.read(this.scope, middle, 10)).events().size() == 10);
		Mono<Long> read = this.database.sql("""
				select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint from pg_stat_xact_user_tables
				 where relname like 'event%'
				""").mapValue(Long.class).one();
		Mono<Long> page = read
			.flatMap((before) -> this.feed.read(this.scope, middle, 10).then(read).map((after) -> after - before));
		assertThat(await(this.transactions.listByIndex(this.scope, page.flux()).single())).isLessThan(50);
	}

	@Test
	void onlyTheTextOfACursorIsParsed() {
		Feed.Cursor cursor = new Feed.Cursor(42, UUID.randomUUID());
		assertThat(Feed.Cursor.parse(cursor.text())).contains(cursor);
		assertThat(Feed.Cursor.parse("")).isEmpty();
		assertThat(Feed.Cursor.parse("!")).isEmpty();
		assertThat(Feed.Cursor.parse(cursor.text().substring(4))).isEmpty();
		assertThat(Feed.Cursor.parse(new Feed.Cursor(-1, cursor.id()).text())).isEmpty();
	}

	/**
	 * Reads on until so many events were read: transactions of other tests hold events
	 * back for a moment. The text is the event's field {@code n} or else its kind.
	 */
	private List<String> read(int count, int limit) {
		List<String> read = new ArrayList<>();
		var position = new Object() {
			Feed.@Nullable Cursor after;

		};
		Await.until(count + " events are read", () -> {
			Feed.Batch batch;
			do {
				batch = await(this.feed.read(this.scope, position.after, limit));
				assertThat(batch.events()).hasSizeLessThanOrEqualTo(limit);
				batch.events().forEach((event) -> read.add((String) event.data().getOrDefault("n", event.kind())));
				position.after = batch.next();
			}
			while (batch.more());
			return read.size() >= count;
		});
		return read;
	}

	private void record(EventKind kind) {
		record(new Event(this.scope.account(), kind, null, Map.of()));
	}

	private void record(int writer, int count) {
		IntStream.range(0, count)
			.mapToObj((i) -> Map.<String, Object>of("n", writer + "/" + i))
			.forEach((data) -> record(new Event(this.scope.account(), EventKind.CONTACT_UPDATED, null, data)));
	}

	private void record(Event event) {
		await(this.transactions.in(this.scope, this.events.record(List.of(event))));
	}

	private void insert(Connection connection, String kind) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement
				.execute("insert into event (id, account_id, kind, created_at) values (uuidv7(), '%s', '%s', now())"
					.formatted(this.scope.account(), kind));
		}
	}

}
