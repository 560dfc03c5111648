package dev.mailroom.operator;

import java.time.Instant;
import java.util.Collection;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of operators on accounts. */
@Repository
class ManagedAccountStore {

	/** Accounts with the counts of seven days of UTC, including today. */
	private static final String ACCOUNTS = """
			select account.id, email, name, plan, role, email_verified_at is not null as email_verified, paused_reason,
			       (select delete_at from account_deletion where account_id = account.id) as delete_at, transport, feedback_tag, daily_limit, monthly_limit, send_rate, created_at, week.delivered, week.hard_bounced, week.complained, week.settled_today
			  from account cross join lateral (
			       select coalesce(sum(delivered + sent), 0)::bigint as delivered,
			              coalesce(sum(hard_bounced), 0)::bigint as hard_bounced,
			              coalesce(sum(complained), 0)::bigint as complained,
			              coalesce(sum(delivered + sent + hard_bounced + other_bounced)
			                  filter (where day = (now() at time zone 'UTC')::date), 0)::bigint as settled_today
			         from reputation_day
			        where reputation_day.account_id = account.id and day > (now() at time zone 'UTC')::date - 7) as week
			""";

	private final DatabaseClient database;

	ManagedAccountStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("operators search all accounts")
	Flux<ManagedAccount> list(ManagedAccount.Filter filter, Page.Request page) {
		Page.@Nullable Cursor cursor = page.cursor();
		DatabaseClient.GenericExecuteSpec query = this.database.sql(ACCOUNTS + """
				 where role <> 'member' and (:search::text is null or account.id::text = :search
				        or feedback_tag = :search or strpos(lower(email), :search) > 0
				        or strpos(lower(name), :search) > 0)
				   and (:plan::text is null or plan = :plan)
				   and (:paused::boolean is null or (paused_reason is not null) = :paused)
				   and (:risk::boolean is null
				        or (week.hard_bounced * 50 > week.delivered + week.hard_bounced
				            or week.complained * 2000 > week.delivered) = :risk)
				   and (:created::timestamptz is null or (created_at, account.id) %1$s (:created, :cursor))
				 order by created_at %2$s, account.id %2$s limit :limit
				""".formatted(page.beyond(), page.direction())).bind("limit", page.limit() + 1);
		query = value(query, "search", filter.search(), String.class);
		query = value(query, "plan", filter.plan(), String.class);
		query = value(query, "paused", filter.paused(), Boolean.class);
		query = value(query, "risk", filter.atRisk(), Boolean.class);
		query = value(query, "created", (cursor != null) ? cursor.createdAt() : null, Instant.class);
		return value(query, "cursor", (cursor != null) ? cursor.id() : null, UUID.class)
			.mapProperties(ManagedAccount.class)
			.all();
	}

	Mono<ManagedAccount> find(Scope scope) {
		return this.database.sql(ACCOUNTS + " where account.id = :account")
			.bind("account", scope.account())
			.mapProperties(ManagedAccount.class)
			.one();
	}

	@AcrossAccounts("plans belong to no account")
	Mono<Boolean> planExists(String name) {
		return this.database.sql("select exists (select from plan where name = :name)")
			.bind("name", name)
			.mapValue(Boolean.class)
			.one();
	}

	Mono<Void> insert(ManagedAccount.Note note) {
		return this.database.sql("""
				insert into account_note (id, account_id, author_id, note, created_at)
				values (:id, :account, :author, :note, :created)
				""")
			.bind("id", note.id())
			.bind("account", note.accountId())
			.bind("author", note.authorId())
			.bind("note", note.note())
			.bind("created", note.createdAt())
			.then();
	}

	/** The newest hundred notes about each account. */
	@AcrossAccounts("operators read the notes of a list of accounts")
	Flux<ManagedAccount.Note> notes(Collection<UUID> accounts) {
		return this.database.sql("""
				select id, account_id, author_id, note, created_at
				  from (select *, row_number() over (partition by account_id order by id desc) as number
				          from account_note where account_id = any(:accounts)) as numbered
				 where number <= 100 order by id desc
				""").bind("accounts", accounts.toArray(UUID[]::new)).mapProperties(ManagedAccount.Note.class).all();
	}

	/** The addresses of accounts. */
	@AcrossAccounts("operators read the addresses of the accounts of a list")
	Flux<Address> addresses(Collection<UUID> accounts) {
		return this.database.sql("select id, email from account where id = any(:accounts)")
			.bind("accounts", accounts.toArray(UUID[]::new))
			.mapProperties(Address.class)
			.all();
	}

	private static <T> DatabaseClient.GenericExecuteSpec value(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	/** The address of an account. */
	record Address(UUID id, String email) {
	}

}
