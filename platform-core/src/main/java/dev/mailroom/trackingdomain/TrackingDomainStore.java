package dev.mailroom.trackingdomain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import dev.mailroom.trackingdomain.TrackingDomain.State;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of tracking domains. */
@Repository
class TrackingDomainStore {

	private static final String SELECT = """
			select tracking_domain.*, domain.link_host is not distinct from tracking_domain.name as used
			  from tracking_domain join domain on domain.id = tracking_domain.domain_id
			 where tracking_domain.account_id = :account and removed_at is null
			""";

	private final DatabaseClient database;

	private final TrackingDomainSettings settings;

	TrackingDomainStore(DatabaseClient database, TrackingDomainSettings settings) {
		this.database = database;
		this.settings = settings;
	}

	/** Locks the account, so that concurrent requests do not exceed the limit. */
	Mono<Void> lockAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for no key update")
			.bind("account", scope.account())
			.then();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql(
				"select count(*) from tracking_domain where account_id = :account and removed_at is null and not policy")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/** Inserts a name; empty if it exists, also in another account. */
	Mono<UUID> insert(Scope scope, UUID id, UUID domain, String name, Instant now) {
		return this.database.sql("""
				insert into tracking_domain (id, account_id, domain_id, name, created_at, check_at)
				values (:id, :account, :domain, :name, :now, now())
				on conflict (name) where removed_at is null do nothing returning id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("domain", domain)
			.bind("name", name)
			.bind("now", now)
			.mapValue(UUID.class)
			.one();
	}

	Flux<TrackingDomain> list(Scope scope) {
		return SqlStatement.of(SELECT + " and not policy order by tracking_domain.created_at, tracking_domain.id")
			.bind("account", scope.account())
			.on(this.database)
			.map(this::row)
			.all();
	}

	Mono<TrackingDomain> find(Scope scope, UUID id) {
		return SqlStatement.of(SELECT + " and not policy and tracking_domain.id = :id")
			.bind("account", scope.account())
			.bind("id", id)
			.on(this.database)
			.map(this::row)
			.one();
	}

	Mono<Long> checkNow(Scope scope, UUID id) {
		return this.database.sql("""
				update tracking_domain set check_at = now()
				 where id = :id and account_id = :account and removed_at is null and not policy
				""").bind("id", id).bind("account", scope.account()).fetch().rowsUpdated();
	}

	Mono<String> remove(Scope scope, UUID id) {
		return this.database.sql("""
				update tracking_domain set removed_at = now(), check_at = null
				 where id = :id and account_id = :account and removed_at is null and not policy returning name
				""").bind("id", id).bind("account", scope.account()).mapValue(String.class).one();
	}

	/** Accounts whose links work below a name, or whose policy, and its state. */
	@AcrossAccounts("the account of a request for a link is known only from its name")
	Flux<TrackingNames.Owner> owners(String name) {
		return this.database.sql("""
				select account_id, state,
				       case when policy then coalesce((select mode from hosted_policy
				                                        where hosted_policy.domain_id = tracking_domain.domain_id),
				                                      'none') end as mode
				  from tracking_domain
				 where name = :name and (removed_at is null or removed_at > now() - :kept * interval '1 second')
				""")
			.bind("name", name)
			.bind("kept", TrackingDomains.KEPT.toSeconds())
			.map((row) -> new TrackingNames.Owner(value(row, "account_id", UUID.class), State.of(text(row, "state")),
					Optional.ofNullable(row.get("mode", String.class))
						.map((mode) -> Mode.valueOf(mode.toUpperCase(Locale.ROOT)))
						.orElse(null)))
			.all();
	}

	/** Takes names that are due, which are due again after a time. */
	@AcrossAccounts("the names of all accounts are checked")
	List<TrackingDomain.Due> takeDue(JdbcClient jdbc, int limit, Duration again) {
		return SqlStatement.of("""
				with due as (
				    select id from tracking_domain where check_at <= now()
				     order by check_at limit :limit for update skip locked)
				update tracking_domain set check_at = now() + :again * interval '1 millisecond'
				  from due where tracking_domain.id = due.id
				returning tracking_domain.id, tracking_domain.account_id, tracking_domain.name
				""")
			.bind("limit", limit)
			.bind("again", again.toMillis())
			.list(jdbc, (row) -> new TrackingDomain.Due(value(row, "id", UUID.class),
					value(row, "account_id", UUID.class), text(row, "name")));
	}

	/** Finds a name and locks it until the transaction ends. */
	Optional<TrackingDomain> lock(JdbcClient jdbc, Scope scope, UUID id) {
		return SqlStatement.of(SELECT + " and tracking_domain.id = :id for update of tracking_domain")
			.bind("account", scope.account())
			.bind("id", id)
			.list(jdbc, this::row)
			.stream()
			.findFirst();
	}

	/**
	 * Stores the result of a check.
	 * @param nextIn time until the next check
	 */
	void save(JdbcClient jdbc, Scope scope, UUID id, State state, @Nullable String error, Duration nextIn) {
		SqlStatement.of("""
				update tracking_domain
				   set state = :state, error = nullif(:error, ''), checked_at = now(),
				       check_at = now() + :next * interval '1 millisecond',
				       failing_since = case when :state = 'failing' then coalesce(failing_since, now()) end,
				       failed_at = case when :state = 'failing' then failed_at end
				 where id = :id and account_id = :account
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("state", state.contractName())
			.bind("error", (error != null) ? error : "")
			.bind("next", nextIn.toMillis())
			.update(jdbc);
	}

	/** Marks a name as failed; false if it was, or fails for less than a time. */
	boolean markFailed(JdbcClient jdbc, Scope scope, UUID id, Duration after) {
		return SqlStatement.of("""
				update tracking_domain set failed_at = now()
				 where id = :id and account_id = :account and state = 'failing' and failed_at is null and not policy
				   and failing_since <= now() - :after * interval '1 millisecond'
				""").bind("id", id).bind("account", scope.account()).bind("after", after.toMillis()).update(jdbc) > 0;
	}

	/** Deletes names that were removed long ago. */
	@AcrossAccounts("the names of all accounts end after the same time")
	long deleteRemoved(JdbcClient jdbc, Duration kept) {
		return SqlStatement
			.of("delete from tracking_domain where removed_at <= now() - :kept * interval '1 millisecond'")
			.bind("kept", kept.toMillis())
			.update(jdbc);
	}

	private TrackingDomain row(Readable row) {
		return new TrackingDomain(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), text(row, "name"), State.of(text(row, "state")),
				this.settings.trackingHost(), row.get("error", String.class), value(row, "created_at", Instant.class),
				row.get("checked_at", Instant.class), row.get("failing_since", Instant.class),
				Boolean.TRUE.equals(row.get("used", Boolean.class)));
	}

}
