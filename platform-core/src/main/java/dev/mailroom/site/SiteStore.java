package dev.mailroom.site;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the changed profiles and of what was learned about sites. */
@Repository
@AcrossAccounts("sites belong to no account")
class SiteStore {

	private static final String CHANGES = "select document::text as document from provider_profile order by name";

	private static final String MEMORIES = "select * from site_memory order by learned_at desc limit 10000";

	private static final String SAVE = """
			insert into site_memory (site, source, profile, pace, paced_at, base_rate, paused_until, pauses, reply, learned_at)
			select * from unnest(:sites::text[], :sources::text[], :profiles::text[], :paces::float8[], :paced::timestamptz[],
			                     :rates::int[], :until::timestamptz[], :pauses::int[], :replies::text[],
			                     :learned::timestamptz[])
			 -- workers that save the same sites wait for each other in one order
			 order by 1, 2
			on conflict (site, source) do update
			   set profile = excluded.profile, pace = excluded.pace, paced_at = excluded.paced_at,
			       base_rate = excluded.base_rate, paused_until = excluded.paused_until, pauses = excluded.pauses,
			       reply = excluded.reply, learned_at = excluded.learned_at
			 where site_memory.learned_at <= excluded.learned_at
			""";

	private final DatabaseClient database;

	SiteStore(DatabaseClient database) {
		this.database = database;
	}

	List<String> changes(JdbcClient jdbc) {
		return SqlStatement.of(CHANGES).values(jdbc, String.class);
	}

	Flux<String> changes() {
		return this.database.sql(CHANGES).mapValue(String.class).all();
	}

	Mono<Void> save(String name, String document, UUID by, Instant at) {
		return this.database.sql("""
				insert into provider_profile (name, document, changed_by, changed_at)
				values (:name, :document::jsonb, :by, :at)
				on conflict (name) do update
				   set document = excluded.document, changed_by = excluded.changed_by, changed_at = excluded.changed_at
				""").bind("name", name).bind("document", document).bind("by", by).bind("at", at).then();
	}

	Mono<Boolean> removeChange(String name) {
		return this.database.sql("delete from provider_profile where name = :name")
			.bind("name", name)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	List<SiteMemory> memories(JdbcClient jdbc) {
		return SqlStatement.of(MEMORIES).list(jdbc, SiteStore::memory);
	}

	Flux<SiteMemory> memories() {
		return this.database.sql(MEMORIES).map(SiteStore::memory).all();
	}

	private static SiteMemory memory(Readable row) {
		return new SiteMemory(text(row, "site"), text(row, "source"), text(row, "profile"),
				value(row, "pace", Double.class), value(row, "paced_at", Instant.class), number(row, "base_rate"),
				row.get("paused_until", Instant.class), number(row, "pauses"), text(row, "reply"),
				value(row, "learned_at", Instant.class));
	}

	/** Saves memories, unless another worker has learned something later. */
	void save(JdbcClient jdbc, Collection<SiteMemory> memories) {
		Columns<SiteMemory> columns = Columns.of(List.copyOf(memories));
		SqlStatement.of(SAVE)
			.bind("sites", columns.texts(SiteMemory::site))
			.bind("sources", columns.texts(SiteMemory::source))
			.bind("profiles", columns.texts(SiteMemory::profile))
			.bind("paces", columns.array(SiteMemory::pace, Double[]::new))
			.bind("paced", columns.array(SiteMemory::pacedAt, Instant[]::new))
			.bind("rates", columns.integers(SiteMemory::baseRate))
			.bind("until", columns.array(SiteMemory::pausedUntil, Instant[]::new))
			.bind("pauses", columns.integers(SiteMemory::pauses))
			.bind("replies", columns.texts(SiteMemory::reply))
			.bind("learned", columns.array(SiteMemory::learnedAt, Instant[]::new))
			.update(jdbc);
	}

	/** Deletes memories that have no effect since a day; a pace recovers in two hours. */
	void removeOver(JdbcClient jdbc) {
		SqlStatement.of("""
				delete from site_memory
				 where greatest(paced_at, paused_until) < now() - interval '1 day'
				""").update(jdbc);
	}

	Mono<Void> pause(String site, String profile, Instant until, String why, Instant now) {
		return this.database
			.sql("""
					insert into site_memory (site, profile, pace, paced_at, base_rate, paused_until, pauses, reply, learned_at)
					values (:site, :profile, 1, :now, 0, :until, 0, :why, :now)
					on conflict (site, source) do update
					   set paused_until = excluded.paused_until, pauses = 0, reply = excluded.reply,
					       learned_at = excluded.learned_at
					""")
			.bind("site", site)
			.bind("profile", profile)
			.bind("until", until)
			.bind("why", why)
			.bind("now", now)
			.then();
	}

	Mono<Boolean> forget(String site) {
		return this.database.sql("delete from site_memory where site = :site")
			.bind("site", site)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

}
