package dev.mailroom.source;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.source.SendingSource.Presence;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of sending addresses, pools and choices. */
@Repository
@AcrossAccounts("sending addresses and pools belong to no account")
class SendingSourceStore {

	private static final String SOURCES = "select * from sending_source order by name";

	private static final String POOLS = """
			select name, when_empty, fallback_pool,
			       array(select source from sending_pool_member where pool = name order by source) as sources,
			       array(select weight from sending_pool_member where pool = name order by source) as weights
			  from sending_pool order by name
			""";

	private static final String CHOICES = "select kind, key, stream, pool from pool_choice order by kind, key, stream";

	private static final String WARMUPS = """
			select source, large, other,
			       array(select provider from source_warmup_day as day
			              where day.source = source_warmup.source and day.allowance = 9223372036854775807
			              group by provider) as finished
			  from source_warmup order by source
			""";

	private static final String DAYS = """
			select distinct on (source, provider) * from source_warmup_day order by source, provider, day desc
			""";

	private static final String TODAY = "(now() at time zone 'UTC')::date";

	private static final String DOMAINS = """
			select distinct domain.account_id from pool_choice join domain on domain.id::text = pool_choice.key
			 where pool_choice.kind = 'domain'
			""";

	/** Running workers that have an address. */
	private static final String PRESENT = """
			 from source_seen where (v4 or v6) and seen_at > now() - interval '90 seconds' group by source
			""";

	private static final Set<String> DEFAULT_GROUP = Set.of("default");

	private final DatabaseClient database;

	SendingSourceStore(DatabaseClient database) {
		this.database = database;
	}

	SendingPools read(JdbcClient jdbc) {
		List<SendingSource> sources = SqlStatement.of(SOURCES).list(jdbc, SendingSourceStore::source);
		List<PoolChoice> choices = SqlStatement.of(CHOICES).list(jdbc, SendingSourceStore::choice);
		if (sources.isEmpty() && choices.isEmpty()) {
			return SendingPools.NONE;
		}
		return new SendingPools(sources, SqlStatement.of(POOLS).list(jdbc, SendingSourceStore::pool), choices,
				Set.copyOf(SqlStatement.of(DOMAINS).values(jdbc, UUID.class)),
				SqlStatement.of(WARMUPS).list(jdbc, SendingSourceStore::warmup));
	}

	Mono<SendingPools> stored() {
		return Mono
			.zip(this.database.sql(SOURCES).map(SendingSourceStore::source).all().collectList(),
					this.database.sql(POOLS).map(SendingSourceStore::pool).all().collectList(),
					this.database.sql(CHOICES).map(SendingSourceStore::choice).all().collectList(),
					this.database.sql(WARMUPS).map(SendingSourceStore::warmup).all().collectList())
			.map((read) -> new SendingPools(read.getT1(), read.getT2(), read.getT3(), Set.of(), read.getT4()));
	}

	private static SendingSource source(Readable row) {
		return new SendingSource(text(row, "name"), row.get("v4", String.class), row.get("v6", String.class),
				row.get("public_v4", String.class), row.get("public_v6", String.class), text(row, "helo"),
				SendingSource.State.valueOf(text(row, "state").toUpperCase(Locale.ROOT)),
				row.get("listed_on", String.class));
	}

	private static SendingPool pool(Readable row) {
		String[] sources = value(row, "sources", String[].class);
		Integer[] weights = value(row, "weights", Integer[].class);
		List<SendingPool.Weighted> members = new ArrayList<>();
		for (int i = 0; i < sources.length; i++) {
			members.add(new SendingPool.Weighted(sources[i], weights[i]));
		}
		return new SendingPool(text(row, "name"),
				SendingPool.WhenEmpty.valueOf(text(row, "when_empty").toUpperCase(Locale.ROOT)),
				row.get("fallback_pool", String.class), List.copyOf(members));
	}

	private static PoolChoice choice(Readable row) {
		return new PoolChoice(PoolChoice.Kind.valueOf(text(row, "kind").toUpperCase(Locale.ROOT)), text(row, "key"),
				text(row, "stream").equals("campaign"), text(row, "pool"));
	}

	private static SourceWarmup warmup(Readable row) {
		return new SourceWarmup(text(row, "source"), List.of(value(row, "large", Long[].class)),
				List.of(value(row, "other", Long[].class)), Set.of(value(row, "finished", String[].class)));
	}

	private static SourceWarmup.Day day(Readable row) {
		return new SourceWarmup.Day(text(row, "source"), text(row, "provider"), value(row, "day", LocalDate.class),
				number(row, "step"), value(row, "allowance", Long.class), value(row, "used", Long.class),
				value(row, "over", Long.class), value(row, "attempts", Long.class), value(row, "blocked", Long.class),
				value(row, "deferred", Long.class), value(row, "complaints", Long.class), text(row, "held"));
	}

	/** Takes one of the allowance of today; false if there is no such day, or no more. */
	boolean take(JdbcClient jdbc, String source, String provider) {
		return SqlStatement
			.of("update source_warmup_day set used = used + 1 where source = :source and provider = :provider and day = "
					+ TODAY + " and used < allowance")
			.bind("source", source)
			.bind("provider", provider)
			.update(jdbc) > 0;
	}

	LocalDate today(JdbcClient jdbc) {
		return SqlStatement.of("select " + TODAY).value(jdbc, LocalDate.class);
	}

	/** The last day on which mail was sent to a provider. */
	Optional<SourceWarmup.Day> last(JdbcClient jdbc, String source, String provider) {
		return SqlStatement
			.of("select * from source_warmup_day where source = :source and provider = :provider order by day desc limit 1")
			.bind("source", source)
			.bind("provider", provider)
			.list(jdbc, SendingSourceStore::day)
			.stream()
			.findFirst();
	}

	/** Begins a day, unless another worker has. */
	void begin(JdbcClient jdbc, SourceWarmup.Day day) {
		SqlStatement.of("""
				insert into source_warmup_day (source, provider, day, step, allowance, held)
				select :source, :provider, :day, :step, :allowance, :held
				 where exists (select from source_warmup where source = :source)
				on conflict do nothing
				""")
			.bind("source", day.source())
			.bind("provider", day.provider())
			.bind("day", day.day())
			.bind("step", day.step())
			.bind("allowance", day.allowance())
			.bind("held", day.held())
			.update(jdbc);
	}

	/** Ends a warm-up once no provider has a limit. */
	void end(JdbcClient jdbc, String source) {
		SqlStatement.of("""
				delete from source_warmup
				 where source = :source
				   and :providers = (select count(distinct provider) from source_warmup_day
				                      where source = :source and allowance = 9223372036854775807)
				""").bind("source", source).bind("providers", SourceWarmup.PROVIDERS.size()).update(jdbc);
	}

	/** Counts complaints for the last sending days of the addresses. */
	void complained(JdbcClient jdbc, List<SourceWarmup.Complaint> complaints) {
		Columns<SourceWarmup.Complaint> columns = Columns.of(complaints);
		SqlStatement.of("""
				update source_warmup_day as counted set complaints = counted.complaints + added.complaints
				  from (select source.name, complaint.provider, count(*) as complaints
				          from unnest(:addresses::text[], :providers::text[]) as complaint(address, provider)
				          join sending_source as source on complaint.address in (source.v4, source.v6)
				         group by source.name, complaint.provider) as added
				 where counted.source = added.name and counted.provider = added.provider
				   and counted.day = (select max(last.day) from source_warmup_day as last
				                       where last.source = counted.source and last.provider = counted.provider)
				""")
			.bind("addresses", columns.texts(SourceWarmup.Complaint::address))
			.bind("providers", columns.texts((complaint) -> SourceWarmup.provider(complaint.profile())))
			.update(jdbc);
	}

	void count(JdbcClient jdbc, Collection<SourceWarmup.Counted> counted) {
		Columns<SourceWarmup.Counted> columns = Columns.of(List.copyOf(counted));
		SqlStatement
			.of("""
					update source_warmup_day
					   set over = source_warmup_day.over + added.over, attempts = source_warmup_day.attempts + added.attempts,
					       blocked = source_warmup_day.blocked + added.blocked,
					       deferred = source_warmup_day.deferred + added.deferred
					  from unnest(:sources::text[], :providers::text[], :over::bigint[], :attempts::bigint[],
					              :blocked::bigint[], :deferred::bigint[])
					       as added(source, provider, over, attempts, blocked, deferred)
					 where source_warmup_day.source = added.source and source_warmup_day.provider = added.provider
					   and day = (now() at time zone 'UTC')::date
					""")
			.bind("sources", columns.texts(SourceWarmup.Counted::source))
			.bind("providers", columns.texts(SourceWarmup.Counted::provider))
			.bind("over", columns.longs(SourceWarmup.Counted::over))
			.bind("attempts", columns.longs(SourceWarmup.Counted::attempts))
			.bind("blocked", columns.longs(SourceWarmup.Counted::blocked))
			.bind("deferred", columns.longs(SourceWarmup.Counted::deferred))
			.update(jdbc);
	}

	List<SourceWarmup.Day> days(JdbcClient jdbc) {
		return SqlStatement.of(DAYS).list(jdbc, SendingSourceStore::day);
	}

	Flux<SourceWarmup.Day> days() {
		return this.database.sql(DAYS).map(SendingSourceStore::day).all();
	}

	Mono<Void> start(SourceWarmup warmup, UUID by, Instant at) {
		return this.database.sql("""
				with before as (delete from source_warmup_day where source = :source)
				insert into source_warmup (source, large, other, started_by, started_at)
				values (:source, :large, :other, :by, :at)
				on conflict (source) do update
				   set large = excluded.large, other = excluded.other, started_by = excluded.started_by,
				       started_at = excluded.started_at
				""")
			.bind("source", warmup.source())
			.bind("large", warmup.large().toArray(Long[]::new))
			.bind("other", warmup.other().toArray(Long[]::new))
			.bind("by", by)
			.bind("at", at)
			.then();
	}

	Mono<Boolean> stop(String source) {
		return removed(this.database.sql("delete from source_warmup where source = :source").bind("source", source));
	}

	/**
	 * The pools of the mail of domains, as {@link SendingPools#choice} finds them.
	 */
	Flux<SendingSources.OfDomain> pools(UUID account, Collection<UUID> domains) {
		return this.database.sql("""
				select domain.id,
				       (array_agg(pool order by place) filter (where stream = 'transactional'))[1] as transactional,
				       (array_agg(pool order by place) filter (where stream = 'campaign'))[1] as campaign
				  from unnest(:domains::uuid[]) as domain(id)
				  join pool_choice
				    on (kind, key) in (('domain', domain.id::text), ('account', :account), ('platform', ''),
				                       ('plan', (select plan from account where id = :account::uuid)))
				  cross join lateral array_position(array['domain', 'account', 'plan', 'platform'], kind) as place
				 group by domain.id
				""")
			.bind("domains", domains.toArray(UUID[]::new))
			.bind("account", account.toString())
			.mapProperties(SendingSources.OfDomain.class)
			.all();
	}

	void seen(JdbcClient jdbc, UUID worker, String group, Collection<Presence> present) {
		Columns<Presence> columns = Columns.of(List.copyOf(present));
		SqlStatement.of("""
				with gone as (
				    delete from source_seen
				     where seen_at < now() - interval '1 day' or (worker_id = :worker and source <> all(:sources)))
				insert into source_seen (worker_id, source, v4, v6, seen_at, worker_group)
				select :worker, found.source, found.v4, found.v6, now(), :group
				  from unnest(:sources::text[], :v4::boolean[], :v6::boolean[]) as found(source, v4, v6)
				 -- one that was removed meanwhile
				 where exists (select from sending_source where name = found.source)
				on conflict (worker_id, source) do update
				   set v4 = excluded.v4, v6 = excluded.v6, seen_at = excluded.seen_at,
				       worker_group = excluded.worker_group
				""")
			.bind("worker", worker)
			.bind("group", group)
			.bind("sources", columns.texts(Presence::source))
			.bind("v4", columns.booleans(Presence::v4))
			.bind("v6", columns.booleans(Presence::v6))
			.update(jdbc);
	}

	/**
	 * Changes which addresses are paused because of a block list, and returns those that
	 * changed. A list that does not answer leaves a pause as it is for a day.
	 */
	List<SendingSource> pauseListed(JdbcClient jdbc, boolean enabled) {
		return SqlStatement.of("with present as (select source" + PRESENT + """
				), listed as (
				    select source.name, min(found.list) as list
				      from sending_source as source
				      join address_check as found
				        on found.subject in (coalesce(public_v4, v4), coalesce(public_v6, v6)) and found.kind = 'list'
				       and (found.result = 'failed'
				            or (found.result = 'unknown' and found.list = source.listed_on
				                and found.since > now() - interval '1 day'))
				     where :enabled group by source.name),
				clean as (
				    select pool, source from sending_pool_member
				     where source in (select name from sending_source where state = 'active')
				       and source not in (select name from listed)
				       and source in (select source from present)),
				paused as (
				    select name, list from listed
				     where not exists (
				         select from sending_pool_member as member
				          where member.source = listed.name
				            and (select count(*) from clean where clean.pool = member.pool) < 2)),
				wanted as (select name, list from sending_source left join paused using (name))
				update sending_source set listed_on = wanted.list from wanted
				 where sending_source.name = wanted.name and sending_source.listed_on is distinct from wanted.list
				returning sending_source.*
				""").bind("enabled", enabled).list(jdbc, SendingSourceStore::source);
	}

	/** Groups that have each address; empty while there is only the default one. */
	Map<String, Set<String>> groups(JdbcClient jdbc) {
		Map<String, Set<String>> groups = SqlStatement
			.of("select source, array_agg(distinct worker_group) as groups" + PRESENT)
			.list(jdbc, (row) -> Map.entry(text(row, "source"), Set.of(value(row, "groups", String[].class))))
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
		return groups.values().stream().allMatch(DEFAULT_GROUP::equals) ? Map.of() : groups;
	}

	Mono<Map<String, Integer>> present() {
		return this.database.sql("select source, count(*)::int as workers" + PRESENT)
			.map((row) -> Map.entry(text(row, "source"), number(row, "workers")))
			.all()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	Mono<Void> save(SendingSource source, UUID by, Instant at) {
		DatabaseClient.GenericExecuteSpec insert = this.database
			.sql("""
					insert into sending_source (name, v4, v6, public_v4, public_v6, helo, state, changed_by, changed_at)
					values (:name, :v4, :v6, :public_v4, :public_v6, :helo, :state, :by, :at)
					on conflict (name) do update
					   set v4 = excluded.v4, v6 = excluded.v6, public_v4 = excluded.public_v4, public_v6 = excluded.public_v6,
					       helo = excluded.helo, state = excluded.state, changed_by = excluded.changed_by,
					       changed_at = excluded.changed_at
					""")
			.bind("name", source.name())
			.bind("helo", source.helo())
			.bind("state", source.state().stored())
			.bind("by", by)
			.bind("at", at);
		return bound(bound(bound(bound(insert, "v4", source.v4()), "v6", source.v6()), "public_v4", source.publicV4()),
				"public_v6", source.publicV6())
			.then();
	}

	private static DatabaseClient.GenericExecuteSpec bound(DatabaseClient.GenericExecuteSpec statement, String name,
			@Nullable String value) {
		return (value != null) ? statement.bind(name, value) : statement.bindNull(name, String.class);
	}

	Mono<Boolean> removeSource(String name) {
		return removed(this.database.sql("delete from sending_source where name = :name").bind("name", name));
	}

	Mono<Void> save(SendingPool pool, UUID by, Instant at) {
		return bound(this.database.sql("""
				insert into sending_pool (name, when_empty, fallback_pool, changed_by, changed_at)
				values (:name, :when_empty, :fallback, :by, :at)
				on conflict (name) do update
				   set when_empty = excluded.when_empty, fallback_pool = excluded.fallback_pool,
				       changed_by = excluded.changed_by, changed_at = excluded.changed_at
				""")
			.bind("name", pool.name())
			.bind("when_empty", pool.whenEmpty().stored())
			.bind("by", by)
			.bind("at", at), "fallback", pool.fallbackPool()).then();
	}

	Mono<Void> saveMembers(SendingPool pool) {
		Columns<SendingPool.Weighted> columns = Columns.of(pool.members());
		return SqlStatement.of("""
				with gone as (delete from sending_pool_member where pool = :pool and source <> all(:sources))
				insert into sending_pool_member (pool, source, weight)
				select :pool, part.source, part.weight
				  from unnest(:sources::text[], :weights::int[]) as part(source, weight)
				on conflict (pool, source) do update set weight = excluded.weight
				""")
			.bind("pool", pool.name())
			.bind("sources", columns.texts(SendingPool.Weighted::source))
			.bind("weights", columns.integers(SendingPool.Weighted::weight))
			.on(this.database)
			.then();
	}

	Mono<Boolean> removePool(String name) {
		return removed(this.database.sql("delete from sending_pool where name = :name").bind("name", name));
	}

	Mono<Void> choose(PoolChoice choice) {
		return this.database.sql("""
				insert into pool_choice (kind, key, stream, pool) values (:kind, :key, :stream, :pool)
				on conflict (kind, key, stream) do update set pool = excluded.pool
				""")
			.bind("kind", choice.kind().stored())
			.bind("key", choice.key())
			.bind("stream", PoolChoice.stream(choice.campaign()))
			.bind("pool", choice.pool())
			.then();
	}

	Mono<Boolean> removeChoice(PoolChoice.Kind kind, String key, boolean campaign) {
		return removed(
				this.database.sql("delete from pool_choice where kind = :kind and key = :key and stream = :stream")
					.bind("kind", kind.stored())
					.bind("key", key)
					.bind("stream", PoolChoice.stream(campaign)));
	}

	private static Mono<Boolean> removed(DatabaseClient.GenericExecuteSpec deletion) {
		return deletion.fetch().rowsUpdated().map((rows) -> rows > 0);
	}

}
