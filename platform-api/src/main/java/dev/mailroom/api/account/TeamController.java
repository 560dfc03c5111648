package dev.mailroom.api.account;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Scope;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Invitation;
import dev.mailroom.account.Invitations;
import dev.mailroom.account.Person;
import dev.mailroom.account.Secret;
import dev.mailroom.account.Team;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.Success;
import dev.mailroom.upkeep.AccountMails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for members and invitations. */
@RestController
@RequestMapping("/team")
class TeamController {

	private final Team team;

	private final Invitations invitations;

	private final AccountMails mails;

	private final Idempotent idempotent;

	TeamController(Team team, Invitations invitations, AccountMails mails, Idempotent idempotent) {
		this.team = team;
		this.invitations = invitations;
		this.mails = mails;
		this.idempotent = idempotent;
	}

	@GetMapping("/members")
	Mono<Success> members(Scope scope) {
		return this.team.list(scope)
			.map((people) -> Success.of("members", people.stream().map(MemberView::of).toList()));
	}

	@PatchMapping("/members/{id}")
	Mono<Success> change(Scope scope, @PathVariable UUID id, @RequestBody ChangeMember body) {
		return this.team.changeRole(scope, id, body.role())
			.map((person) -> Success.of("member", MemberView.of(person)));
	}

	@DeleteMapping("/members/{id}")
	Mono<Success> remove(Scope scope, @PathVariable UUID id) {
		return this.team.remove(scope, id).thenReturn(Success.deleted(id));
	}

	@GetMapping("/invitations")
	Mono<Success> invitations(Scope scope) {
		return this.invitations.list(scope)
			.map((list) -> Success.of("invitations", list.stream().map(InvitationView::of).toList()));
	}

	/** The mail is sent after the commit; a repeated request sends none. */
	@PostMapping("/invitations")
	Mono<ResponseEntity<Object>> invite(Scope scope, @Nullable IdempotencyKey key, @RequestBody Invite body) {
		AtomicReference<@Nullable AccountNotice> notice = new AtomicReference<>();
		Mono<Success> work = this.invitations.invite(scope, body.email(), body.role())
			.doOnNext((sent) -> notice.set(sent.notice()))
			.map((sent) -> Success.of("invitation", InvitationView.of(sent.invitation())));
		return this.idempotent.answer(scope, key, HttpStatus.CREATED, work)
			.delayUntil((_) -> Mono.justOrEmpty(notice.get()).flatMap(this.mails::send));
	}

	@DeleteMapping("/invitations/{id}")
	Mono<Success> withdraw(Scope scope, @PathVariable UUID id) {
		return this.invitations.withdraw(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/invitations/accept")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> accept(@RequestBody AcceptInvitation body) {
		return this.invitations.accept(body.token(), body.password(), body.name())
			.map((person) -> Success.of("member", MemberView.of(person)));
	}

	/** Body of PATCH /team/members/:id. */
	record ChangeMember(@Nullable String role) {
	}

	/** Body of POST /team/invitations. */
	record Invite(@Nullable String email, @Nullable String role) {
	}

	/** Body of POST /team/invitations/accept, with the token of the link in the mail. */
	record AcceptInvitation(@Nullable Secret token, @Nullable Secret password, @Nullable String name) {
	}

	/** JSON form of a member. */
	record MemberView(UUID id, String email, String name, String role, Instant createdAt) {

		static MemberView of(Person person) {
			return new MemberView(person.id(), person.email(), person.name(), person.role(), person.createdAt());
		}

	}

	/** JSON form of an invitation. */
	record InvitationView(UUID id, String email, String role, Instant createdAt, Instant expiresAt) {

		static InvitationView of(Invitation invitation) {
			return new InvitationView(invitation.id(), invitation.email(), invitation.role(), invitation.createdAt(),
					invitation.expiresAt());
		}

	}

}
