package dev.mailroom.account;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The people of an account. A change of a role applies to the next request of its person;
 * a person who is removed is signed out at once.
 */
@Service
public class Team {

	private final Members members;

	private final People people;

	private final Transactions transactions;

	private final Audits audits;

	private final Directory directory;

	Team(Members members, People people, Transactions transactions, Audits audits, Directory directory) {
		this.directory = directory;
		this.members = members;
		this.people = people;
		this.transactions = transactions;
		this.audits = audits;
	}

	/** The people of an account, the first one first. */
	public Mono<List<Person>> list(Scope scope) {
		return this.members.list(scope)
			.flatMap((members) -> this.people.find(members.stream().map(Member::id).toList()).map((accounts) -> {
				Map<UUID, Account> byId = accounts.stream().collect(Collectors.toMap(Account::id, Function.identity()));
				return members.stream()
					.flatMap((member) -> Optional.ofNullable(byId.get(member.id()))
						.map((account) -> Person.of(member, account))
						.stream())
					.toList();
			}));
	}

	/**
	 * A person of an account.
	 * @throws dev.mailroom.Refused {@code Member not found}
	 */
	public Mono<Person> find(Scope scope, UUID id) {
		return require(scope, id).flatMap(
				(member) -> this.people.find(List.of(id)).map((accounts) -> Person.of(member, accounts.getFirst())));
	}

	/**
	 * Changes the role of a person.
	 * @throws dev.mailroom.Refused {@code Member not found}, {@code Last owner}, or
	 * {@code Forbidden} if the caller is no owner and one is concerned
	 */
	public Mono<Person> changeRole(Scope scope, UUID id, @Nullable String role) {
		return Mono.fromCallable(() -> role(role)).flatMap((next) -> {
			Mono<String> changed = permitted(scope, id, next).flatMap((member) -> this.members.setRole(scope, id, next)
				.filter(Boolean::booleanValue)
				.switchIfEmpty(Mono.error(TeamRefusals::lastOwner))
				.then(address(id))
				.delayUntil((email) -> this.audits.record(scope, Act.MEMBER_CHANGED, id,
						Map.of("email", email, "role", next.contractName(), "before", member.role()))));
			return this.transactions.of(List.of(scope.account(), id), changed).then(find(scope, id));
		});
	}

	/**
	 * Removes a person, whose sign-in and sessions end.
	 * @throws dev.mailroom.Refused {@code Member not found}, {@code Last owner}, or
	 * {@code Forbidden} for the founder, or if the caller is no owner and one is
	 * concerned
	 */
	public Mono<Void> remove(Scope scope, UUID id) {
		if (id.equals(scope.account())) {
			return Mono.error(TeamRefusals.founder());
		}
		Mono<Void> removed = permitted(scope, id, MemberRole.VIEWER)
			.flatMap((_) -> this.members.remove(scope, id)
				.filter(Boolean::booleanValue)
				.switchIfEmpty(Mono.error(TeamRefusals::lastOwner)))
			.flatMap((_) -> address(id))
			.delayUntil((_) -> this.people.delete(id))
			.delayUntil((email) -> this.transactions.afterCommit("The directory of cells still has a removed member",
					Mono.justOrEmpty(EmailAddress.parse(email))
						.flatMap((address) -> this.directory.release(scope.account(), address))))
			.flatMap((email) -> this.audits.record(scope, Act.MEMBER_REMOVED, id, Map.of("email", email)));
		return this.transactions.of(List.of(scope.account(), id), removed);
	}

	/** The address of a person, for the audit log; it may be empty. */
	private Mono<String> address(UUID id) {
		return this.people.find(List.of(id))
			.map((accounts) -> accounts.stream().map(Account::email).findFirst().orElse(""));
	}

	/** The member to change, if the caller may give or take the roles concerned. */
	private Mono<Member> permitted(Scope scope, UUID id, MemberRole next) {
		return require(scope, id)
			.filterWhen((member) -> (member.memberRole() != MemberRole.OWNER && next != MemberRole.OWNER)
					? Mono.just(true) : isOwner(scope))
			.switchIfEmpty(Mono.error(TeamRefusals::ownersOnly));
	}

	/** Whether the caller is an owner now. */
	Mono<Boolean> isOwner(Scope scope) {
		return this.members.of(scope.person().account())
			.filter((membership) -> membership.account().equals(scope.account()))
			.map(Membership::role)
			.map(MemberRole.OWNER::equals)
			.defaultIfEmpty(false);
	}

	private Mono<Member> require(Scope scope, UUID id) {
		return this.members.find(scope, id).switchIfEmpty(Mono.error(() -> TeamRefusals.noMember(id)));
	}

	/** Parses the role in a request. */
	static MemberRole role(@Nullable String contractName) {
		return MemberRole.parse(contractName).orElseThrow(TeamRefusals::invalidRole);
	}

}
