package dev.mailroom.account;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Invitations to join an account, by mail with a link that works once. A person belongs
 * to one account, so an address that was verified before cannot accept. Only verified
 * accounts invite: otherwise a stranger who registers an address would have a member in
 * the account when its owner arrives.
 */
@Service
public class Invitations {

	private static final Duration LIFETIME = Duration.ofDays(7);

	private final InvitationStore store;

	private final Team team;

	private final Members members;

	private final People people;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Audits audits;

	private final NoArgGenerator ids;

	Invitations(InvitationStore store, Team team, Members members, People people, Throttle throttle,
			Transactions transactions, Audits audits, NoArgGenerator ids) {
		this.store = store;
		this.team = team;
		this.members = members;
		this.people = people;
		this.throttle = throttle;
		this.transactions = transactions;
		this.audits = audits;
		this.ids = ids;
	}

	/** The invitations of an account that were not accepted, newest first. */
	public Mono<List<Invitation>> list(Scope scope) {
		return this.transactions.in(scope, this.store.list(scope).collectList());
	}

	/**
	 * Invites a person. An earlier invitation to the same address becomes invalid.
	 * @throws dev.mailroom.Refused {@code Invalid request data}, {@code Duplicate member}
	 * if the address belongs to a member, {@code Forbidden} if the caller may not give
	 * the role, {@code Email not verified}
	 */
	public Mono<Sent> invite(Scope scope, @Nullable String email, @Nullable String role) {
		return Mono.fromCallable(() -> new Request(FieldReader.requiredAddress(email), Team.role(role)))
			.filterWhen((request) -> (request.role() != MemberRole.OWNER) ? Mono.just(true) : this.team.isOwner(scope))
			.switchIfEmpty(Mono.error(TeamRefusals::ownersOnly))
			.delayUntil((_) -> requireVerified(scope))
			.delayUntil((request) -> requireNoMember(scope, request.email()))
			.flatMap((request) -> save(scope, request));
	}

	/**
	 * Withdraws an invitation.
	 * @throws dev.mailroom.Refused {@code Invitation not found}
	 */
	public Mono<Void> withdraw(Scope scope, UUID id) {
		return this.transactions
			.in(scope, this.store.delete(scope, id)
				.delayUntil((email) -> this.audits.record(scope, Act.INVITATION_WITHDRAWN, id, Map.of("email", email))))
			.switchIfEmpty(Mono.error(() -> TeamRefusals.noInvitation(id)))
			.then();
	}

	/**
	 * Checks that the link of an invitation still works.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it does not
	 */
	public Mono<Boolean> check(Secret token) {
		return Mono.fromCallable(() -> FieldReader.requiredToken("token", token))
			.flatMap((link) -> this.throttle.lookUp(this.store.findAccount(link.hash())))
			.switchIfEmpty(Mono.error(TeamRefusals::invalidToken))
			.thenReturn(true);
	}

	/**
	 * Accepts an invitation: creates the person, who signs in with the password.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not valid
	 * or the password too short, {@code Duplicate member} if the address signs in
	 * already, or {@code Misdirected} if it does so in another cell
	 */
	public Mono<Person> accept(@Nullable Secret token, @Nullable Secret password, @Nullable String name) {
		return Mono.fromCallable(() -> People.Joining.of(token, password, name)).flatMap((joining) -> {
			byte[] hash = joining.token().hash();
			return this.throttle.lookUp(this.store.findAccount(hash))
				.switchIfEmpty(Mono.error(TeamRefusals::invalidToken))
				.map(Scope::of)
				.delayUntil((scope) -> this.people.claim(scope.account(),
						this.transactions.in(scope, this.store.findAddress(scope, hash))))
				.flatMap((scope) -> this.people.hash(joining.password())
					.flatMap((passwordHash) -> join(scope, hash, joining.name(), passwordHash)));
		});
	}

	private Mono<Person> join(Scope scope, byte[] hash, String name, String passwordHash) {
		UUID person = this.ids.generate();
		Scope joined = scope.by(person);
		Mono<Person> work = this.store.take(scope, hash)
			.switchIfEmpty(Mono.error(TeamRefusals::invalidToken))
			.flatMap((invitation) -> this.people.create(joined, invitation.email(), name, passwordHash)
				.switchIfEmpty(Mono.error(() -> TeamRefusals.DUPLICATE
					.because("This address signs in to another account. Ask for an invitation to another address.")))
				.delayUntil((_) -> this.members.add(scope, person, MemberRole.parse(invitation.role()).orElseThrow()))
				.delayUntil((_) -> this.audits.record(joined, Act.MEMBER_JOINED, person,
						Map.of("email", invitation.email(), "role", invitation.role())))
				.map((account) -> new Person(person, account.email(), account.name(), invitation.role(), false,
						account.createdAt())));
		return this.transactions.of(List.of(scope.account(), person), work);
	}

	private Mono<Void> requireVerified(Scope scope) {
		return this.people.find(List.of(scope.account()))
			.filter((accounts) -> !accounts.stream().allMatch(Account::emailVerified))
			.flatMap((_) -> Mono.error(AccountRefusals.emailNotVerified()));
	}

	private Mono<Void> requireNoMember(Scope scope, EmailAddress email) {
		return this.team.list(scope)
			.filter((members) -> members.stream()
				.anyMatch((member) -> EmailAddress.parse(member.email())
					.filter((other) -> other.key().equals(email.key()))
					.isPresent()))
			.flatMap((_) -> Mono.error(TeamRefusals.DUPLICATE.because(email + " is a member of this account.")));
	}

	private Mono<Sent> save(Scope scope, Request request) {
		Secret token = Secret.random();
		Mono<Invitation> saved = this.store
			.save(scope, this.ids.generate(), request.email(), request.role(), token.hash(), LIFETIME)
			.delayUntil((invitation) -> this.audits.record(scope, Act.MEMBER_INVITED, invitation.id(),
					Map.of("email", invitation.email(), "role", invitation.role())));
		return this.throttle.countMail(request.email())
			.flatMap((permitted) -> this.transactions.in(scope, saved)
				.flatMap((invitation) -> permitted
						? notice(scope, invitation, request.role(), token).map((notice) -> new Sent(invitation, notice))
						: Mono.just(new Sent(invitation, null))));
	}

	private Mono<AccountNotice> notice(Scope scope, Invitation invitation, MemberRole role, Secret token) {
		return this.people.find(List.of(scope.account(), scope.person().account())).map((accounts) -> {
			Map<UUID, Account> byId = accounts.stream().collect(Collectors.toMap(Account::id, Function.identity()));
			Account account = Objects.requireNonNull(byId.get(scope.account()));
			Account inviter = byId.getOrDefault(scope.person().account(), account);
			return new AccountNotice.JoinTeam(invitation.email(), token, AccountNotice.JoinTeam.named(inviter), account,
					role, invitation.expiresAt());
		});
	}

	/** Address and role of a person to invite. */
	private record Request(EmailAddress email, MemberRole role) {
	}

	/**
	 * A new invitation.
	 *
	 * @param notice the mail to send; null if the address was sent too many
	 */
	public record Sent(Invitation invitation, @Nullable AccountNotice notice) {
	}

}
