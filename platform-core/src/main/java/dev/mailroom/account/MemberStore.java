package dev.mailroom.account;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of members. */
@Repository
class MemberStore {

	/**
	 * The condition that an account keeps an owner. The rows of all owners are locked in
	 * the same order: of two owners who leave at the same time, one stays.
	 */
	private static final String OWNERS = """
			with owners as (select person_id from member
			                 where account_id = :account and role = 'owner' order by person_id for update)
			""";

	private static final String MEMBERS = """
			select person_id as id, account_id, role, created_at from member where account_id = :account
			""";

	private static final String KEEPS_AN_OWNER = """
			 (role <> 'owner' or exists (select from owners where owners.person_id <> :person))
			""";

	private final DatabaseClient database;

	MemberStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("the account is the result of the look-up")
	Mono<Row> find(UUID person) {
		return this.database.sql("select account_id, role from member_of(:person)")
			.bind("person", person)
			.mapProperties(Row.class)
			.one();
	}

	/** A member of an account. */
	Mono<Member> find(Scope scope, UUID person) {
		return this.database.sql(MEMBERS + " and person_id = :person")
			.bind("account", scope.account())
			.bind("person", person)
			.mapProperties(Member.class)
			.one();
	}

	/** The members of an account, the first one first. */
	Flux<Member> list(Scope scope) {
		return this.database.sql(MEMBERS + " order by created_at, person_id limit 500")
			.bind("account", scope.account())
			.mapProperties(Member.class)
			.all();
	}

	/** Names of the kinds of events that a member chose; empty for those of the role. */
	Mono<List<String>> notices(Scope scope, UUID person) {
		return this.database.sql(
				"select notices from member where account_id = :account and person_id = :person and notices is not null")
			.bind("account", scope.account())
			.bind("person", person)
			.map((row) -> List.of(Objects.requireNonNull(row.get("notices", String[].class))))
			.one();
	}

	Mono<Void> setNotices(Scope scope, UUID person, List<String> names) {
		return this.database
			.sql("update member set notices = :names where account_id = :account and person_id = :person")
			.bind("names", names.toArray(String[]::new))
			.bind("account", scope.account())
			.bind("person", person)
			.then();
	}

	/** Members who are told of a kind of events, at their verified addresses. */
	List<NoticeChoices.Recipient> recipients(JdbcClient jdbc, Scope scope, NoticeKind kind) {
		String[] roles = Arrays.stream(MemberRole.values())
			.filter(kind::isDefaultOf)
			.map(MemberRole::contractName)
			.toArray(String[]::new);
		return SqlStatement.of("""
				select person.id, person.email from member join account as person on person.id = member.person_id
				 where member.account_id = :account and person.email_verified_at is not null and person.email <> ''
				   and (:kind = any(member.notices) or member.notices is null and member.role = any(:roles))
				 order by member.created_at, person.id limit 100
				""")
			.bind("account", scope.account())
			.bind("kind", kind.contractName())
			.bind("roles", roles)
			.list(jdbc, (row) -> new NoticeChoices.Recipient(Objects.requireNonNull(row.get("id", UUID.class)),
					Objects.requireNonNull(row.get("email", String.class))));
	}

	/** Inserts a member; the person has none yet. */
	Mono<Void> insert(Scope scope, UUID person, MemberRole role) {
		return this.database.sql("insert into member (person_id, account_id, role) values (:person, :account, :role)")
			.bind("person", person)
			.bind("account", scope.account())
			.bind("role", role.contractName())
			.then();
	}

	/** Sets a role; false if the account would have no owner. */
	Mono<Boolean> setRole(Scope scope, UUID person, MemberRole role) {
		return this.database.sql(OWNERS + """
				update member set role = :role
				 where person_id = :person and account_id = :account and (:role = 'owner' or""" + KEEPS_AN_OWNER + ")")
			.bind("person", person)
			.bind("account", scope.account())
			.bind("role", role.contractName())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Deletes a member; false if the account would have no owner. */
	Mono<Boolean> delete(Scope scope, UUID person) {
		return this.database
			.sql(OWNERS + "delete from member where person_id = :person and account_id = :account and" + KEEPS_AN_OWNER)
			.bind("person", person)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** The account that a person uses, with the contract's name of the role. */
	record Row(UUID accountId, String role) {
	}

}
