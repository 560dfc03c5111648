package dev.mailroom.feed;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class FeedTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	@Autowired
	Feed feed;

	@Autowired
	Events events;

	@Autowired
	Transactions transactions;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void whatHappenedIsToldOnceInOrderToItsOwnerAlone() {
		happen("one");
		happen("two");
		happen("three");
		assertThat(tail(3, 2)).containsExactly("one", "two", "three");
		assertThat(this.feed.read(Scope.of(Given.account("free")), null, 10).block(DEADLINE).events()).isEmpty();
	}

	@Test
	void aMailsEventTellsOfTheMailAndThenWhatHappened() {
		Scope sender = Given.sender("free");
		UUID mail = Given.mail(sender, "b@c.test");
		Given.run(
				"insert into event (id, account_id, kind, email_id, data, created_at) values (gen_random_uuid(), "
						+ "'%s', 'email.bounced', '%s', '{\"bounce\": {\"type\": \"soft\"}}', now())",
				sender.account(), mail);
		Map<String, Object> told = this.feed.read(sender, null, 1).block(DEADLINE).events().getFirst().data();
		assertThat(told).isEqualTo(Map.of("email_id", mail.toString(), "from", "Ann <a@" + sender.domain() + ".test>",
				"to", List.of("b@c.test"), "subject", "Hello", "tags", Map.of(), "domain_id",
				sender.domain().toString(), "bounce", Map.of("type", "soft")));
	}

	@Test
	void anEventThatCommitsLateIsNotMissed() throws SQLException {
		try (Connection slow = TestDatabase.connect("mailroom"); Connection quick = TestDatabase.connect("mailroom")) {
			slow.setAutoCommit(false);
			insert(slow, "early, committed late");
			insert(quick, "late, committed early");
			Feed.Stretch before = this.feed.read(this.scope, null, 10).block(DEADLINE);
			assertThat(before.events()).isEmpty();
			assertThat(before.next()).isNull();
			slow.commit();
		}
		assertThat(tail(2, 1)).containsExactly("early, committed late", "late, committed early");
	}

	@Test
	void aReaderThatKeepsUpWithManyWritersMissesNothingAndSeesNothingTwice()
			throws ExecutionException, InterruptedException {
		int writers = 8;
		int each = 40;
		List<String> read;
		try (ExecutorService pool = Executors.newFixedThreadPool(writers)) {
			List<Future<?>> writing = new ArrayList<>();
			for (int i = 0; i < writers; i++) {
				int writer = i;
				writing.add(pool.submit(() -> write(writer, each)));
			}
			read = tail(writers * each, 7);
			for (Future<?> one : writing) {
				one.get();
			}
		}
		assertThat(read).hasSize(writers * each).doesNotHaveDuplicates();
	}

	@Test
	void whatIsOlderThanThirtyDaysIsNotShown() {
		happen("old");
		happen("new");
		Given.run("update event set created_at = now() - interval '31 days' where account_id = '%s' and kind = 'old'",
				this.scope.account());
		assertThat(tail(1, 10)).containsExactly("new");
	}

	@Test
	void aCursorIsReadBackAndNothingElse() {
		Feed.Cursor cursor = new Feed.Cursor(42, UUID.randomUUID());
		assertThat(Feed.Cursor.parse(cursor.text())).contains(cursor);
		assertThat(Feed.Cursor.parse("")).isEmpty();
		assertThat(Feed.Cursor.parse("!")).isEmpty();
		assertThat(Feed.Cursor.parse(cursor.text().substring(4))).isEmpty();
		assertThat(Feed.Cursor.parse(new Feed.Cursor(-1, cursor.id()).text())).isEmpty();
	}

	/**
	 * Reads on until so many have come: transactions of other tests hold events back for
	 * a moment.
	 */
	private List<String> tail(int count, int limit) {
		List<String> kinds = new ArrayList<>();
		Instant end = Instant.now().plus(DEADLINE);
		Feed.@Nullable Cursor after = null;
		while (kinds.size() < count && Instant.now().isBefore(end)) {
			Feed.Stretch stretch = this.feed.read(this.scope, after, limit).block(DEADLINE);
			assertThat(stretch.events()).hasSizeLessThanOrEqualTo(limit);
			stretch.events().forEach((event) -> kinds.add(event.kind()));
			after = stretch.next();
		}
		return kinds;
	}

	private void happen(String kind) {
		Event event = new Event(this.scope.account(), kind, null, Map.of("a", 1));
		this.transactions.in(this.scope, this.events.record(List.of(event))).block(DEADLINE);
	}

	private void write(int writer, int count) {
		for (int i = 0; i < count; i++) {
			happen(writer + "/" + i);
		}
	}

	private void insert(Connection connection, String kind) throws SQLException {
		try (var statement = connection.createStatement()) {
			statement.execute("insert into event (id, account_id, kind, created_at) values ('%s', '%s', '%s', now())"
				.formatted(UUID.randomUUID(), this.scope.account(), kind));
		}
	}

}
