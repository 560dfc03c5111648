package dev.mailroom.api.team;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.notice.AccountMails;
import dev.mailroom.team.Invitation;
import dev.mailroom.team.Invitations;
import dev.mailroom.team.Person;
import dev.mailroom.team.Team;
import dev.mailroom.token.Secret;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
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

	TeamController(Team team, Invitations invitations, AccountMails mails) {
		this.team = team;
		this.invitations = invitations;
		this.mails = mails;
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

	@PostMapping("/invitations")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> invite(Scope scope, @RequestBody Invite body) {
		return this.invitations.invite(scope, body.email(), body.role())
			.delayUntil((sent) -> Mono.justOrEmpty(sent.notice()).flatMap(this.mails::send))
			.map((sent) -> Success.of("invitation", InvitationView.of(sent.invitation())));
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
